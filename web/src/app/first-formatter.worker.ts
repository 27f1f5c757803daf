/**
 * The first formatter of a browser's process loads all its languages, which takes as long as drawing a screen and blocks
 * everything else. In a worker it delays no tap; if the page is faster, nothing is lost.
 */
Intl.DateTimeFormat();
close();
