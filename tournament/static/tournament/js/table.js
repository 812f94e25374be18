// The page of a table's tablet.
import "./practice.js";
import "./queue.js";
