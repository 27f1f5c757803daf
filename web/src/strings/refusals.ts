/** What refusals of the API say in the page's language, by their codes, from the build; none where the API says the same. */
export const refusals: Partial<Record<string, string>> = {};
