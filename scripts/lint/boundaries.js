import { readFileSync } from 'node:fs';

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
const boundary = (files, options, excludeFiles = []) => ({
  files,
  excludeFiles,
  rules: { 'local/imports': ['error', options] },
});

/** The rooms of each package, which are its folders below src: one imports values only from those that stand before it. */
const ROOMS = JSON.parse(readFileSync(new URL('rooms.json', import.meta.url), 'utf8'));
const innerOf = (room, rooms) => rooms.filter((each) => each.startsWith(`${room}/`));
const nameIn = (room) => room.split('/')[1];

/** Paths from one room into another, as regular expressions. A room inside another one is a room of its own. */
function pathInto(room, rooms) {
  const inner = innerOf(room, rooms).map(nameIn);
  return `(\\.\\./)+${room}/${inner.length > 0 ? `(?!(${inner.join('|')})/)` : ''}`;
}
/** From a room to the files of the one around it, and to its neighbours but those before it. */
const pathAround = (room, before) =>
  `\\.\\./(?!${['\\.', ...innerOf(room.split('/')[0], before).map((each) => `${nameIn(each)}/`)].join('|')})`;

/** For each room the rule of its package, and that it does not import from those after it. */
const oneDirection = (folder, options) => {
  const rooms = ROOMS[folder].split(' ');
  return rooms.map((room, at) => {
    const paths = rooms.slice(at + 1).map((later) => pathInto(later, rooms));
    if (room.includes('/')) paths.push(pathAround(room, rooms.slice(0, at)));
    const upwards = {
      regex: `^(${paths.join('|')})`,
      allowTypeImports: true,
      message: `The rooms of ${folder} import in one direction (rooms.json): what ${room} needs of this one stands lower.`,
    };
    const inner = innerOf(room, rooms).map((each) => `${folder}/${each}/**`);
    return boundary(
      [`${folder}/${room}/**`],
      { ...options, patterns: [...options.patterns, ...(paths.length > 0 ? [upwards] : [])] },
      [...SPECS, ...inner],
    );
  });
};

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
  ...['PICTURE_SETTINGS', 'picturesOf'],
  ...['LEGAL_PAGES', 'SettingName', 'SettingsFields'],
  ...['MAIL_LISTS', 'MailList', 'isWebUrl', 'SingleLine', 'markdownFault'],
  ...['Page', 'PageRequest', 'UUID_PATTERN', 'isMoment'],
  ...['PictureBytes', 'PictureChange', 'pictureUrl'],
];

const platform = {
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
      '^@meetmark/contracts/(?!(cover-pattern|errors|event-path|limits|message|jobs|identity|community|locales|palette|texts/mail-frame)$)',
    ),
    ...forbid('Test helpers stay out of what is shipped.', packages(['testing'])),
    ...noWayOut,
  ],
};

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
  boundary(['libs/platform/src/**'], platform, SPECS),
  ...oneDirection('libs/platform/src', platform),
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
  const shipped = {
    patterns: [
      ...others,
      ...forbid('Test helpers stay out of what is shipped.', packages(['testing'])),
      ...noWayOut,
    ],
  };
  return [
    boundary([`${folder}/src/**`], shipped, SPECS),
    ...oneDirection(`${folder}/src`, shipped),
    boundary(
      SPECS.map((spec) => `${folder}/src/${spec}`),
      { patterns: [...others, ...noWayOut] },
    ),
  ];
});

const typesOnly = {
  regex:
    '^@meetmark/contracts($|/(?!(community|cover-crop|cover-pattern|csv|event-fields|event-path|handbook|limits|locales|errors|palette|registration-state|markdown|venue|zones|texts/.+)$))',
  allowTypeImports: true,
  message:
    'The browser needs the types alone (values only from /community, /cover-pattern, /csv, /event-fields, /event-path, /handbook, /limits, /locales, /errors, /palette, /registration-state, /markdown, /zones and /texts, which import none): use `import type`.',
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
const features = {
  patterns: [...webPatterns, ...forbid('Features do not know the app that holds them.', '^(\\.\\./)+app/')],
};
const web = [
  boundary(['web/src/**'], { patterns: webPatterns }),
  boundary(['web/src/{ui,api,strings}/**'], {
    patterns: [...webPatterns, ...sharedPieces],
  }),
  boundary(['web/src/ui/{dialog,sheet}.tsx'], { patterns: [...anywhere, ...sharedPieces] }),
  boundary(['web/src/features/**'], features, SPECS),
  ...oneDirection('web/src/features', features),
];

const environment = {
  files: [
    'gateway/src/**',
    'services/*/src/**',
    'libs/contracts/src/**',
    'libs/platform/src/**',
    'web/src/**',
  ],
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
