/** What refusals of the API say in the page's language, by their codes, from the build; none in the language of the API itself. */
export const refusals: Partial<Record<string, string>> = {};
