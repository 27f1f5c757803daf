/**
 * The first formatter is slow to create, because it loads the data of all languages. This worker creates it.
 */
Intl.DateTimeFormat();
close();
