/** JSON that may stand in a script element: nothing in it can end the element. Browsers do not run it, so the CSP lets it be. */
export const jsonForScript = (value: unknown) =>
  JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
