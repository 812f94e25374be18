// The parts that the practice table shares with every tablet: questions, display, modes. Nothing is stored or sent
// here.
import "./entry.js";
import "./tablet.js";
import "./focus.js";
import "./perspective.js";
import "./modes.js";
import "./sounds.js";
