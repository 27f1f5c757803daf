/** A message of a catalogue with its arguments filled in. The build has made a function of it (web/scripts/catalogues.ts). */
export const say = (message: string, values: Record<string, string | number>): string =>
  (message as unknown as (values: Record<string, string | number>) => string)(values);
