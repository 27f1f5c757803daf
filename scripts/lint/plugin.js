import { returnsOnPurpose } from './effects.js';
import { imports } from './imports.js';
import { inForms, inMails, onScreens } from './texts.js';

/** Refuses what a selector finds. */
const refused = (selector, message) => ({
  meta: { type: 'problem', docs: { description: message }, messages: { refused: message }, schema: [] },
  create: (context) => ({ [selector]: (node) => context.report({ node, messageId: 'refused' }) }),
});

/** Our own rules: what no linter knows of this product. */
export default {
  meta: { name: 'local' },
  rules: {
    imports,
    'effect-returns-on-purpose': returnsOnPurpose,
    'texts-on-screens': onScreens,
    'texts-in-mails': inMails,
    'texts-in-forms': inForms,
    'one-hint': refused(
      'JSXOpeningElement:has(> JSXAttribute[name.name="aria-label"]) > JSXAttribute[name.name="title"]',
      'web/src/ui/hints.tsx shows the name of a control without words; a title would say it twice.',
    ),
    'lasting-route': refused(
      'CallExpression[callee.property.name="route"] Property[key.name="times"]',
      'While Playwright takes a route away, a request that begins can hang. Let the handler count.',
    ),
    'parsed-address': refused(
      'MemberExpression[object.name="URL"][property.name="canParse"]',
      'In Node 20 it soon refuses every address with a letter such as ü: parsedUrl of the contracts.',
    ),
  },
};
