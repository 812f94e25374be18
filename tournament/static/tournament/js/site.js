// Every page of the site begins with these.
import "./connection.js";
import "./swapGuard.js";
import "./inview.js";
import "./mending.js";
