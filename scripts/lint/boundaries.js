// Allowed imports between packages and layers. If an import is forbidden, change the design, not this file.

const APPS = ['gateway', 'auth', 'events', 'admin', 'worker', 'web'];
const TOOLS = ['e2e', 'bench', 'scripts'];
const SPECS = ['**/*.spec.ts', '**/*.spec.tsx', '**/testing/**'];

const packages = (names) => `^@meetmark/(${names.join('|')})(/|$)`;
/** A relative path that leaves its package. */
const OUT_OF_PACKAGE = '^(\\.\\./)+(.*/)?(src|dist)/';

const forbid = (message, ...patterns) => patterns.map((regex) => ({ regex, message }));
const noWayOut = forbid('Import another package by its name, and only what it exports.', OUT_OF_PACKAGE);
const noUsers = forbid('A library never imports what is built on it.', packages([...APPS, ...TOOLS]));
const noTestHelpers = forbid('Test helpers stay out of what is shipped.', packages(['testing']));
const boundary = (files, options, excludeFiles = []) => ({
  files,
  excludeFiles,
  rules: { 'no-restricted-imports': ['error', options] },
});

const CONTRACTS = '@meetmark/contracts';

const libraries = [
  boundary(['libs/contracts/src/**'], {
    patterns: [
      ...forbid('contracts imports only i18n.', packages([...APPS, ...TOOLS, 'platform', 'testing'])),
      ...noWayOut,
    ],
  }),
  boundary(['libs/platform/src/**'], { patterns: [...noUsers, ...noTestHelpers, ...noWayOut] }, SPECS),
  boundary(['libs/testing/src/**', 'libs/platform/src/**/*.spec.ts'], {
    patterns: [...noUsers, ...noWayOut],
  }),
];

const servers = ['gateway', 'auth', 'events', 'admin', 'worker'].flatMap((name) => {
  const folder = name === 'gateway' ? name : `services/${name}`;
  const others = forbid(
    'Processes talk by messages and jobs (contracts), never by imports.',
    packages([...APPS.filter((app) => app !== name), ...TOOLS]),
  );
  const patterns = [...others, ...noWayOut];
  return [
    boundary([`${folder}/src/**`], { patterns: [...patterns, ...noTestHelpers] }, SPECS),
    boundary(
      SPECS.map((spec) => `${folder}/src/${spec}`),
      { patterns },
    ),
  ];
});

const BROWSER_MODULES =
  'community csv cut-text errors events/cover-crop events/cover-pattern events/event-fields events/event-path events/registration-state events/venue first-grapheme former-member handbook import-limits limits markdown palette retention zone-names zones'.split(
    ' ',
  );
const typesOnly = {
  allowTypeImports: true,
  message: `Use \`import type\`: the browser takes values only from ${BROWSER_MODULES.join(', ')} of the contracts.`,
};
const noServers = forbid(
  'The web application knows the servers by their API only.',
  packages([...APPS, ...TOOLS, 'platform']),
);
const ownDialogs = {
  regex: '^antd$',
  importNames: ['Drawer', 'Modal'],
  message: 'Use Sheet and Dialog of ui/: these two give the focus back before they are through with closing.',
};
const noOtherContracts = {
  group: [
    `${CONTRACTS}/*`,
    `!${CONTRACTS}/events`,
    `${CONTRACTS}/events/*`,
    ...BROWSER_MODULES.map((name) => `!${CONTRACTS}/${name}`),
  ],
  ...typesOnly,
};
const anywhere = [noOtherContracts, ...noServers, ...noWayOut];
const ownMutations = {
  regex: '^@tanstack/react-query$',
  importNames: ['useMutation'],
  message: 'Use useMutation of api/mutation: it asks for a fresh sign-in, and cancelling that is no error.',
};
const webPaths = [{ name: CONTRACTS, ...typesOnly }];
const webPatterns = [...anywhere, ownDialogs, ownMutations];
const sharedPieces = forbid(
  'Shared pieces know neither features nor the app.',
  '^(\\.\\.?/)+(features|app)/',
);
const features = {
  paths: webPaths,
  patterns: [...webPatterns, ...forbid('Features do not know the app that holds them.', '^(\\.\\./)+app/')],
};
const web = [
  boundary(['web/src/**'], { paths: webPaths, patterns: webPatterns }),
  boundary(['web/src/{ui,api,strings}/**'], {
    paths: webPaths,
    patterns: [...webPatterns, ...sharedPieces],
  }),
  boundary(['web/src/ui/{dialog,sheet}.tsx', 'web/src/api/mutation.ts'], {
    paths: webPaths,
    patterns: [...anywhere, ...sharedPieces],
  }),
  boundary(['web/src/features/**'], features, SPECS),
];

const environment = {
  files: ['{gateway,web,services/*,libs/i18n,libs/contracts,libs/platform}/src/**'],
  excludeFiles: ['libs/platform/src/config/**', ...SPECS],
  rules: {
    'no-restricted-properties': [
      'error',
      {
        object: 'process',
        property: 'env',
        message: 'Read the configuration class; only platform/config reads the environment.',
      },
    ],
  },
};

export const boundaries = [...libraries, ...servers, ...web, environment];
