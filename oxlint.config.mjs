import { fileURLToPath } from 'node:url';
import { boundaries } from './scripts/lint/boundaries.js';

const SHIPPED = [
  'gateway/src/**',
  'services/*/src/**',
  'libs/{i18n,contracts,platform}/src/**',
  'web/src/**',
];
const SPECS = ['**/*.spec.ts', '**/*.spec.tsx'];

/** Rules in addition to the category `correctness`. */
const RULES = {
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'max-lines-per-function': ['error', 100],
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
  'import/no-cycle': ['error', { ignoreTypes: false }],
  'object-shorthand': 'error',
  'prefer-const': 'error',
  'prefer-rest-params': 'error',
  'prefer-spread': 'error',
  'preserve-caught-error': 'error',
  'typescript/ban-ts-comment': 'error',
  'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  // Declaration merging needs interfaces that only extend a type.
  'typescript/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
  'typescript/no-explicit-any': 'error',
  'typescript/no-namespace': 'error',
  'typescript/no-require-imports': 'error',
  'typescript/no-unsafe-function-type': 'error',
};

/** Rules of the category `correctness` that report code we write on purpose. */
const LEFT_OUT = Object.fromEntries(
  [
    ...['no-base-to-string', 'no-implied-eval', 'no-meaningless-void-operator', 'no-misused-spread'],
    ...['no-useless-default-assignment', 'require-array-sort-compare', 'restrict-template-expressions'],
    'unbound-method',
  ].map((rule) => [`typescript/${rule}`, 'off']),
);

/** Rules that need type information. */
const OF_TYPES = {
  'typescript/await-thenable': 'error',
  'typescript/no-floating-promises': 'error',
  'typescript/no-misused-promises': 'error',
  'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
};

/** Rules of React and the React compiler. */
const OF_REACT = Object.fromEntries(
  [
    ...['rules-of-hooks', 'exhaustive-deps', 'static-components', 'use-memo', 'preserve-manual-memoization'],
    ...['incompatible-library', 'immutability', 'globals', 'refs', 'set-state-in-effect', 'error-boundaries'],
    ...['purity', 'set-state-in-render', 'unsupported-syntax'],
  ].map((rule) => [`react/${rule}`, 'error']),
);

export default {
  plugins: ['typescript', 'react', 'import'],
  jsPlugins: [fileURLToPath(new URL('scripts/lint/plugin.js', import.meta.url))],
  categories: { correctness: 'error' },
  env: { builtin: true, node: true },
  // e2e/src/browsers imports packages that only `npm run test:browsers` installs.
  ignorePatterns: ['**/dist/**', '**/screenshots/**', 'e2e/src/browsers/**'],
  options: { reportUnusedDisableDirectives: 'error' },
  rules: { ...RULES, ...LEFT_OUT },
  overrides: [
    {
      files: ['**/*.ts', '**/*.tsx'],
      rules: OF_TYPES,
    },
    // Dependency injection needs imported types at run time, which this rule doesn't know.
    {
      files: ['gateway/src/**', 'services/*/src/**', 'libs/platform/src/**'],
      rules: { 'typescript/consistent-type-imports': 'off' },
    },
    { files: SHIPPED, rules: { 'no-console': 'error' } },
    // Node waits for the promises of these programs and reports their errors.
    { files: ['**/*.mjs'], rules: { 'typescript/no-floating-promises': 'off' } },
    { files: ['**/*.cjs'], rules: { 'typescript/no-require-imports': 'off' } },
    {
      files: ['web/src/**'],
      env: { builtin: true, browser: true },
      rules: {
        ...OF_REACT,
        // The console is a browser's only log.
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
    // A describe block is one long function.
    { files: SPECS, rules: { 'max-lines-per-function': 'off' } },
    { files: ['e2e/src/**/*.ts'], rules: { 'local/lasting-route': 'error' } },
    {
      files: ['gateway/src/**', 'services/*/src/**', 'libs/*/src/**', 'scripts/src/**'],
      rules: { 'local/parsed-address': 'error' },
    },
    {
      files: ['{gateway,services,libs,web}/**/src/**'],
      excludeFiles: [
        ...SPECS,
        '**/testing/**',
        'libs/contracts/src/cut-text.ts',
        'libs/contracts/src/first-grapheme.ts',
      ],
      rules: { 'local/cut-text': 'error' },
    },
    ...boundaries,
  ],
};
