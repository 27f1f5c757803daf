// Who may import whom. An arrow that is missing here is a mistake in the design, not in this file.

const APPS = ['gateway', 'auth', 'events', 'admin', 'worker', 'web'];
const TOOLS = ['e2e', 'bench', 'scripts'];
/** Specs, and the folders of what only specs use. */
const SPECS = ['**/*.spec.ts', '**/*.spec.tsx', '**/testing/**'];

const packages = (names) => `^@meetmark/(${names.join('|')})(/|$)`;
/** A relative path that leaves its own package. */
const OUT_OF_PACKAGE = '^(\\.\\./)+(.*/)?(src|dist)/';

const forbid = (message, ...patterns) => patterns.map((regex) => ({ regex, message }));
const noWayOut = forbid('Import another package by its name, and only what it exports.', OUT_OF_PACKAGE);
const boundary = (files, options, ignores = []) => ({
  files,
  ignores,
  rules: { '@typescript-eslint/no-restricted-imports': ['error', options] },
});

// What the platform may know of the contracts: how things are said, never what a feature says.
const SAID_BY_EVERYONE = [
  ...['Access', 'Message', 'RequestClass', 'ServiceName', 'messagesOf', 'Job', 'Identity', 'Nothing'],
  ...[
    'parsedUrl',
    'DomainError',
    'ERRORS',
    'ErrorBody',
    'ErrorCode',
    'ErrorDetails',
    'FieldErrors',
    'FieldRule',
    'invalidFields',
    'requireFreshSignIn',
    'DEADLINES',
    'LIMITS',
  ],
  ...['Community', 'CommunitySettings', 'isPictureAddress', 'LeftOutSetting'],
  ...['LEGAL_PAGES', 'SettingName', 'SettingsFields'],
  ...['MAIL_LISTS', 'MailList', 'isWebUrl', 'SingleLine', 'markdownFault'],
  ...['Page', 'PageRequest', 'UUID_PATTERN', 'isMoment'],
  ...['PictureBytes', 'PictureChange', 'pictureUrl'],
];

const libraries = [
  boundary(['libs/contracts/src/**'], {
    patterns: [
      ...forbid(
        'contracts is the root of all packages: it imports none.',
        packages([...APPS, ...TOOLS, 'platform', 'testing']),
      ),
      ...noWayOut,
    ],
  }),
  boundary(
    ['libs/platform/src/**'],
    {
      paths: [
        {
          name: '@meetmark/contracts',
          allowImportNames: SAID_BY_EVERYONE,
          message: 'platform is how any process lives; what a feature says belongs to the feature.',
        },
      ],
      patterns: [
        ...forbid('A library never imports what is built on it.', packages([...APPS, ...TOOLS])),
        ...forbid(
          'platform knows no feature.',
          '^@meetmark/contracts/(?!(errors|limits|message|jobs|identity|community|locales|palette)$)',
        ),
        ...forbid('Test helpers stay out of what is shipped.', packages(['testing'])),
        ...noWayOut,
      ],
    },
    SPECS,
  ),
  boundary(['libs/testing/src/**', 'libs/platform/src/**/*.spec.ts'], {
    patterns: [
      ...forbid('A library never imports what is built on it.', packages([...APPS, ...TOOLS])),
      ...noWayOut,
    ],
  }),
];

const servers = ['gateway', 'auth', 'events', 'admin', 'worker'].flatMap((name) => {
  const folder = name === 'gateway' ? name : `services/${name}`;
  const others = forbid(
    'Processes talk by messages and jobs (contracts), never by imports.',
    packages([...APPS.filter((app) => app !== name), ...TOOLS]),
  );
  return [
    boundary(
      [`${folder}/src/**`],
      {
        patterns: [
          ...others,
          ...forbid('Test helpers stay out of what is shipped.', packages(['testing'])),
          ...noWayOut,
        ],
      },
      SPECS,
    ),
    boundary(
      SPECS.map((spec) => `${folder}/src/${spec}`),
      { patterns: [...others, ...noWayOut] },
    ),
  ];
});

const typesOnly = {
  regex:
    '^@meetmark/contracts($|/(?!(community|csv|limits|locales|errors|palette|registration-state|markdown|venue|zones)$))',
  allowTypeImports: true,
  message:
    'The browser needs the types alone (values only from /community, /csv, /limits, /locales, /errors, /palette, /registration-state, /markdown and /zones, which import none): use `import type`.',
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
const anywhere = [typesOnly, ...noServers, ...noWayOut];
const webPatterns = [...anywhere, ownDialogs];
const sharedPieces = forbid(
  'Shared pieces know neither features nor the app.',
  '^(\\.\\.?/)+(features|app)/',
);
const web = [
  boundary(['web/src/**'], { patterns: webPatterns }),
  boundary(['web/src/{ui,api,strings}/**'], {
    patterns: [...webPatterns, ...sharedPieces],
  }),
  boundary(['web/src/ui/{dialog,sheet}.tsx'], { patterns: [...anywhere, ...sharedPieces] }),
  boundary(
    ['web/src/features/**'],
    {
      patterns: [
        ...webPatterns,
        ...forbid('Features do not know the app that holds them.', '^(\\.\\./)+app/'),
      ],
    },
    SPECS,
  ),
];

const environment = {
  files: [
    'gateway/src/**',
    'services/*/src/**',
    'libs/contracts/src/**',
    'libs/platform/src/**',
    'web/src/**',
  ],
  ignores: ['libs/platform/src/config/**', ...SPECS],
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

const addresses = {
  files: ['gateway/src/**', 'services/*/src/**', 'libs/*/src/**', 'scripts/src/**'],
  rules: {
    'no-restricted-syntax': [
      'error',
      {
        selector: 'MemberExpression[object.name="URL"][property.name="canParse"]',
        message:
          'In Node 20 it soon refuses every address with a letter such as ü: parsedUrl of the contracts.',
      },
    ],
  },
};

/** @type {import('eslint').Linter.Config[]} */
export const boundaries = [...libraries, ...servers, ...web, environment, addresses];
