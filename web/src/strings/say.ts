/**
 * What the build makes of texts (web/scripts/catalogues.ts): a message with arguments is a function of them, in the order in which the
 * default's text names them.
 */
export type Said<Texts, Arguments> = {
  [Key in keyof Texts]: Key extends keyof Arguments
    ? Arguments[Key] extends readonly unknown[]
      ? (...values: Arguments[Key]) => string
      : Said<Texts[Key], Arguments[Key]>
    : Texts[Key];
};

/** The texts of a catalogue, whose messages have these arguments. */
export const said = <Texts, Arguments>(texts: Texts) => texts as unknown as Said<Texts, Arguments>;
