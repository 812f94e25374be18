// The page of the practice table, and of every tablet: asking, showing, modes. Nothing is kept or sent here.
import "./entry.js";
import "./tablet.js";
import "./focus.js";
import "./perspective.js";
import "./modes.js";
import "./sounds.js";
