// What people read stands in catalogues (docs/adr/0011-texts-and-languages.md), so that it is there in every language.

/** A word, not a sign, a unit or a pattern. */
const WORD = /\p{L}{2}/u;
/** The beginning of an address to type, and what the gateway fills in. */
const NO_WORDS = /^(https:\/\/|\{\{\w+\}\})$/;
/** What is read or read aloud. */
const ATTRIBUTES = new Set([
  ...['alt', 'aria-description', 'aria-label', 'aria-roledescription', 'caption', 'description', 'heading'],
  ...['hint', 'intro', 'label', 'placeholder', 'question', 'sentence', 'title', 'warning'],
]);
/** Of a mail: what its parts are made from. */
const BLOCKS = new Set(['paragraph', 'quote', 'subheading', 'facts']);
const PROPERTIES = new Set(['label', 'preview', 'reason', 'subject', 'title', 'words']);

/** The words that an expression writes itself; undefined for one that only passes on what others wrote. */
function wordsOf(node) {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' && WORD.test(node.value) && !NO_WORDS.test(node.value)
        ? node
        : undefined;
    case 'TemplateLiteral':
      return node.quasis.some(({ value }) => WORD.test(value.cooked ?? '')) ? node : undefined;
    case 'ConditionalExpression':
      return wordsOf(node.consequent) ?? wordsOf(node.alternate);
    case 'LogicalExpression':
      return wordsOf(node.left) ?? wordsOf(node.right);
    case 'JSXExpressionContainer':
      return wordsOf(node.expression);
    case 'ArrayExpression':
      return node.elements.map(wordsOf).find(Boolean);
    default:
      return undefined;
  }
}

const rule = (create) => ({
  meta: {
    type: 'problem',
    docs: { description: 'What people read stands in a catalogue.' },
    messages: { words: 'Put these words into the catalogues, and read them from there.' },
    schema: [],
  },
  create: (context) => {
    const check = (node) => {
      const words = wordsOf(node);
      if (words) context.report({ node: words, messageId: 'words' });
    };
    return create(check, context);
  },
});

export const onScreens = rule((check, context) => ({
  JSXText(node) {
    if (WORD.test(node.value)) context.report({ node, messageId: 'words' });
  },
  JSXExpressionContainer(node) {
    if (node.parent.type !== 'JSXAttribute') check(node);
  },
  JSXAttribute({ name, value }) {
    const attribute = name.type === 'JSXIdentifier' ? name.name : `${name.namespace.name}:${name.name.name}`;
    if (ATTRIBUTES.has(attribute)) check(value);
  },
  'CallExpression[callee.object.name="toasts"]': ({ arguments: words }) => words.forEach(check),
}));

export const inMails = rule((check) => ({
  CallExpression({ callee, arguments: words }) {
    if (BLOCKS.has(callee.name)) words.forEach(check);
  },
  Property({ key, value }) {
    if (PROPERTIES.has(key.name)) check(value);
  },
}));

/**
 * A form of antd says what is wrong in our own words, unless the browser is left to say it first.
 */
export const inForms = {
  meta: {
    type: 'problem',
    docs: { description: 'A form says in our own words what is wrong.' },
    messages: { silent: 'Give the form `noValidate`: the browser would speak in place of its rules.' },
    schema: [],
  },
  create: (context) => ({
    'JSXOpeningElement[name.name="Form"]'(node) {
      if (!node.attributes.some(({ name }) => name?.name === 'noValidate'))
        context.report({ node, messageId: 'silent' });
    },
  }),
};
