const refused = (message, ...selectors) => ({
  meta: { type: 'problem', docs: { description: message }, messages: { refused: message }, schema: [] },
  create: (context) => ({
    [selectors.join(', ')]: (node) => context.report({ node, messageId: 'refused' }),
  }),
});

/** Selectors of literals and templates that contain words. */
const WORDS = [
  'Literal[value=/\\p{L}{2}/u]:not([value=/^(https:..|\\{\\{\\w+\\}\\})$/])',
  'TemplateLiteral:has(> TemplateElement[value.raw=/\\p{L}{2}/u])',
];
const wordsIn = (parent) =>
  ['', 'ConditionalExpression > ', 'LogicalExpression > '].flatMap((between) =>
    WORDS.map((words) => `${parent} > ${between}${words}`),
  );
const IN_CATALOGUES = 'Put these words into the catalogues, and read them from there.';
const ATTRIBUTE =
  'JSXAttribute[name.name=/^(alt|aria-(description|label|roledescription)|caption|description|heading|hint|intro|label|placeholder|question|sentence|title|warning)$/]';
const CUT = 'CallExpression[callee.property.name=/^(slice|substring|substr)$/][arguments.0.value=0]';
const BY_REACT = [
  'CallExpression:matches([callee.name=/^use(Layout|Insertion)?Effect$/], [callee.property.name=/Effect$/])',
  'JSXAttribute[name.name="ref"] > JSXExpressionContainer',
].map((caller) => `${caller} > ArrowFunctionExpression`);

export default {
  meta: { name: 'local' },
  rules: {
    'effect-returns-on-purpose': refused(
      'Use a block: React calls what this returns as the clean-up, and in newer browsers scrollTo returns a promise.',
      ...BY_REACT.flatMap((called) => [
        `${called}[body.type!=/^(BlockStatement|ArrowFunctionExpression|FunctionExpression)$/]`,
        `${called} > BlockStatement > ReturnStatement[argument.type="CallExpression"]`,
        `${called} > BlockStatement > IfStatement > ReturnStatement.consequent[argument.type="CallExpression"]`,
      ]),
    ),
    'texts-on-screens': refused(
      IN_CATALOGUES,
      'JSXText[value=/\\p{L}{2}/u]',
      ...wordsIn(':matches(JSXElement, JSXFragment) > JSXExpressionContainer'),
      ...wordsIn(ATTRIBUTE),
      ...wordsIn(`${ATTRIBUTE} > JSXExpressionContainer`),
      ...wordsIn('CallExpression[callee.object.name="toasts"]'),
    ),
    'texts-in-mails': refused(
      IN_CATALOGUES,
      ...wordsIn('CallExpression[callee.name=/^(paragraph|quote|subheading|facts)$/]'),
      ...wordsIn('Property[key.name=/^(label|preview|reason|subject|title|words)$/]'),
    ),
    'texts-in-forms': refused(
      'Give the form `noValidate`: the browser would speak in place of its rules.',
      'JSXOpeningElement[name.name="Form"]:not(:has(> JSXAttribute[name.name="noValidate"]))',
    ),
    'one-hint': refused(
      'web/src/ui/hints.tsx shows the name of a control without words; a title would say it twice.',
      'JSXOpeningElement:has(> JSXAttribute[name.name="aria-label"]) > JSXAttribute[name.name="title"]',
    ),
    'lasting-route': refused(
      'While Playwright takes a route away, a request that begins can hang. Let the handler count.',
      'CallExpression[callee.property.name="route"] Property[key.name="times"]',
    ),
    // Without type information, this rule looks for ellipses, spread strings, and variables whose names
    // suggest a limit or a text.
    'cut-text': refused(
      'A cut may halve a letter or an emoji: use cutText, shortenText or firstGrapheme of @meetmark/contracts.',
      `${CUT}[arguments.1.object.name="LIMITS"][arguments.1.property.name!=/Code$/]`,
      `${CUT}[arguments.1.name=/^[A-Z]/][callee.object.name=/^(body|description|email|line|local|message|name|reason|subject|text|title|value|whole|words)$/]`,
      `TemplateLiteral > ${CUT}[arguments.1.name=/^[A-Z]/]`,
      'MemberExpression[property.value=0] > ArrayExpression.object[elements.length=1] > SpreadElement[argument.type=/^(Identifier|MemberExpression)$/]',
    ),
    'parsed-address': refused(
      'In Node 20 it soon refuses every address with a letter such as ü: parsedUrl of the contracts.',
      'MemberExpression[object.name="URL"][property.name="canParse"]',
    ),
  },
};
