import { fileURLToPath } from 'node:url';
import { boundaries } from './scripts/lint/boundaries.js';

const SHIPPED = ['gateway/src/**', 'services/*/src/**', 'libs/{contracts,platform}/src/**', 'web/src/**'];
const SPECS = ['**/*.spec.ts', '**/*.spec.tsx'];

/** Beside what is plainly wrong (the category correctness). */
const RULES = {
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'no-case-declarations': 'error',
  'no-else-return': 'error',
  'no-empty': 'error',
  'no-fallthrough': 'error',
  'no-prototype-builtins': 'error',
  'no-regex-spaces': 'error',
  'no-throw-literal': 'error',
  'no-unexpected-multiline': 'error',
  'no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
  'no-useless-assignment': 'error',
  'no-var': 'error',
  'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'] }],
  'object-shorthand': 'error',
  'prefer-const': 'error',
  'prefer-rest-params': 'error',
  'prefer-spread': 'error',
  'preserve-caught-error': 'error',
  'typescript/ban-ts-comment': 'error',
  'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  // An interface that only extends names a type, which declaration merging needs.
  'typescript/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
  'typescript/no-explicit-any': 'error',
  'typescript/no-namespace': 'error',
  'typescript/no-require-imports': 'error',
  'typescript/no-unsafe-function-type': 'error',
};

/** What the category holds beside them, and what is meant here. */
const LEFT_OUT = Object.fromEntries(
  [
    ...['no-base-to-string', 'no-implied-eval', 'no-meaningless-void-operator', 'no-misused-spread'],
    ...['no-useless-default-assignment', 'require-array-sort-compare', 'restrict-template-expressions'],
    'unbound-method',
  ].map((rule) => [`typescript/${rule}`, 'off']),
);

/** What only the types tell. */
const OF_TYPES = {
  'typescript/await-thenable': 'error',
  'typescript/no-floating-promises': 'error',
  'typescript/no-misused-promises': 'error',
  'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
};

/** React's own, those of its compiler among them. */
const OF_REACT = Object.fromEntries(
  [
    ...['rules-of-hooks', 'exhaustive-deps', 'static-components', 'use-memo', 'preserve-manual-memoization'],
    ...['incompatible-library', 'immutability', 'globals', 'refs', 'set-state-in-effect', 'error-boundaries'],
    ...['purity', 'set-state-in-render', 'unsupported-syntax'],
  ].map((rule) => [`react/${rule}`, 'error']),
);

export default {
  plugins: ['typescript', 'react'],
  jsPlugins: [fileURLToPath(new URL('scripts/lint/plugin.js', import.meta.url))],
  categories: { correctness: 'error' },
  env: { builtin: true, node: true },
  // the stories in foreign browsers need packages that only npm run test:browsers installs
  ignorePatterns: ['**/dist/**', '**/screenshots/**', 'e2e/src/browsers/**'],
  options: { reportUnusedDisableDirectives: 'error' },
  rules: { ...RULES, ...LEFT_OUT },
  overrides: [
    {
      files: ['**/*.ts', '**/*.tsx'],
      rules: OF_TYPES,
    },
    // What is injected has its type at run time, which this rule does not see.
    {
      files: ['gateway/src/**', 'services/*/src/**', 'libs/platform/src/**'],
      rules: { 'typescript/consistent-type-imports': 'off' },
    },
    { files: SHIPPED, rules: { 'no-console': 'error' } },
    // programs, which end with what they wait for
    { files: ['**/*.mjs'], rules: { 'typescript/no-floating-promises': 'off' } },
    { files: ['**/*.cjs'], rules: { 'typescript/no-require-imports': 'off' } },
    {
      files: ['web/src/**'],
      env: { builtin: true, browser: true },
      rules: {
        ...OF_REACT,
        // A browser has no log but its console.
        'no-console': ['error', { allow: ['error', 'warn'] }],
        'local/effect-returns-on-purpose': 'error',
        'local/one-hint': 'error',
      },
    },
    {
      files: ['web/src/**/*.tsx'],
      excludeFiles: [...SPECS, 'web/src/testing/**'],
      rules: { 'local/texts-on-screens': 'error', 'local/texts-in-forms': 'error' },
    },
    {
      files: ['services/worker/src/{auth,events,mail}/**', 'libs/platform/src/mail/**'],
      excludeFiles: SPECS,
      rules: { 'local/texts-in-mails': 'error' },
    },
    { files: ['e2e/src/**/*.ts'], rules: { 'local/lasting-route': 'error' } },
    {
      files: ['gateway/src/**', 'services/*/src/**', 'libs/*/src/**', 'scripts/src/**'],
      rules: { 'local/parsed-address': 'error' },
    },
    ...boundaries,
  ],
};
