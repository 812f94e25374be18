// The modules that every page loads.
import "./connection.js";
import "./swapGuard.js";
import "./inview.js";
import "./mending.js";
