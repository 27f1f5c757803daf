/**
 * The first formatter of a browser's process looks through all its languages, which takes as long as a screen and cannot be
 * interrupted. Made here it holds up no tap; if the page comes first, nothing is lost.
 */
Intl.DateTimeFormat();
close();
