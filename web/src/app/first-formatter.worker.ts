/** The first formatter loads all languages' data, as slow as rendering a screen, so a worker creates it. */
Intl.DateTimeFormat();
close();
