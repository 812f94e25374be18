// Every page of the site begins with these.
import "./connection.js";
import "./finger.js";
import "./inview.js";
