import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import typescript from 'typescript-eslint';
import { boundaries } from './scripts/eslint/boundaries.js';
import { effects } from './scripts/eslint/effects.js';
import { texts } from './scripts/eslint/texts.js';

const SHIPPED = ['gateway/src/**', 'services/*/src/**', 'libs/{contracts,platform}/src/**', 'web/src/**'];

export default typescript.config(
  { ignores: ['**/dist/', '**/node_modules/', '.nx/', '.local/', 'coverage/', '**/screenshots/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  ...typescript.configs.recommended,
  {
    languageOptions: {
      globals: globals.node,
      // Constructor parameter types are values at run time (injection): the rule on type imports must see that.
      parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true },
    },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'object-shorthand': 'error',
      'no-else-return': 'error',
      'no-throw-literal': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'] }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // An interface that only extends names a type, which declaration merging needs.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    // their tsconfig.json needs packages that only npm run test:browsers installs
    ignores: ['e2e/src/browsers/**'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  { files: SHIPPED, rules: { 'no-console': 'error' } },
  { files: ['web/public/**'], languageOptions: { globals: globals.browser } },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  {
    files: ['web/src/**'],
    ...reactHooks.configs.flat.recommended,
    languageOptions: { globals: globals.browser },
    rules: {
      ...reactHooks.configs.flat.recommended.rules,
      'react-hooks/exhaustive-deps': 'error',
      // A browser has no log but its console.
      'no-console': ['error', { allow: ['error', 'warn'] }],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'JSXOpeningElement:has(> JSXAttribute[name.name="aria-label"]) > JSXAttribute[name.name="title"]',
          message:
            'web/src/ui/hints.tsx shows the name of a control without words; a title would say it twice.',
        },
      ],
    },
  },
  {
    files: ['e2e/src/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.property.name="route"] Property[key.name="times"]',
          message:
            'While Playwright takes a route away, a request that begins can hang. Let the handler count.',
        },
      ],
    },
  },
  { files: ['**/*.spec.ts', '**/*.spec.tsx'], languageOptions: { globals: globals.jest } },
  ...boundaries,
  effects,
  ...texts,
);
