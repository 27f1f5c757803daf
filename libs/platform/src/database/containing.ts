/** A LIKE pattern for whatever contains `text`, taken as it stands: what was typed is no pattern. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
