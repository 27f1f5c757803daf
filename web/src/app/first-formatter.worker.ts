/** Creating the first formatter is slow, because it loads the data of all languages. So a worker does it. */
Intl.DateTimeFormat();
close();
