import { readdirSync, readFileSync } from 'node:fs';
import { allJobs, LOCALES } from '@meetmark/contracts';
import { catalogueOf, readCatalogues, type Texts } from '@meetmark/contracts/catalogues';
import { foreignWordsIn, misspeltIn } from '@meetmark/testing/languages';
import { getMetadataStorage } from 'class-validator';
import { fileURLToPath } from 'node:url';
import { linted } from './linted.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('What people read', () => {
  const ON_SCREENS: [where: string, element: string][] = [
    ['between tags', '<p>Save it</p>'],
    ['in an expression', "<p>{saved ? 'Saved' : text.save}</p>"],
    ['in a template', '<p>{`${count} places`}</p>'],
    ['in a label', '<input aria-label="Email" />'],
    ['in a property of our own', '<Field label={wide ? text.long : "Short"} />'],
    ['in a toast', "toasts.success('Saved')"],
  ];
  const ALLOWED: [what: string, element: string][] = [
    ['texts of a catalogue', '<p title={text.title}>{text.save(name)}</p>'],
    ['signs', '<p>{name} · ({count}) → {after}</p>'],
    ['the beginning of an address', '<input placeholder="https://" className="wide" type="url" />'],
  ];
  const IN_MAILS: [where: string, part: string][] = [
    ['a paragraph', "paragraph('Hello')"],
    ['a quote', 'quote(`Why ${who}`, words)'],
    ['a label', "buttons({ label: 'View event', url })"],
    ['a subject', '({ subject: `New: ${title}`, preview: mail.when.text })'],
  ];
  const OF_A_CATALOGUE = '({ subject: words.subject({ title }), blocks: [paragraph(words.what())] })';
  const [SILENT_FORM, FORM] = [
    '<Form name="user"><input /></Form>',
    '<Form name="user" noValidate><input /></Form>',
  ];
  const onScreen = (element: string) => ['web/src/x.tsx', `export const x = ${element};`] as const;
  const inMail = (part: string) => ['services/worker/src/events/x.ts', `export const x = ${part};`] as const;
  const all = linted([
    ...[...ON_SCREENS, ...ALLOWED].map(([, element]) => onScreen(element)),
    ...[SILENT_FORM, FORM].map(onScreen),
    ...IN_MAILS.map(([, part]) => inMail(part)),
    inMail(OF_A_CATALOGUE),
  ]);
  const answer = (path: string, code: string) => all(path, code).filter((rule) => rule.startsWith('local'));

  it.each(ON_SCREENS)('is not written on a screen: %s', (_where, element) => {
    expect(answer(...onScreen(element))).toEqual(['local(texts-on-screens)']);
  });

  it.each(ALLOWED)('may be %s', (_what, element) => {
    expect(answer(...onScreen(element))).toEqual([]);
  });

  it.each(IN_MAILS)('is not written in %s of a mail', (_where, part) => {
    expect(answer(...inMail(part))).toEqual(['local(texts-in-mails)']);
  });

  it('may be the words of a mail’s catalogue', () => {
    expect(answer(...inMail(OF_A_CATALOGUE))).toEqual([]);
  });

  it('says in our own words what is wrong with a form, not in the browser’s', () => {
    expect(answer(...onScreen(SILENT_FORM))).toEqual(['local(texts-in-forms)']);
    expect(answer(...onScreen(FORM))).toEqual([]);
  });

  it('names every kind of mail on the System page', () => {
    const catalogue = readFileSync(`${root}/libs/contracts/texts/en/admin.json`, 'utf8');
    const { adminSystemText: text } = JSON.parse(catalogue) as { adminSystemText: { kinds: object } };
    const mails = allJobs()
      .map(({ name }) => name)
      .filter((name) => /^(mail|messages|announcements)\./.test(name));
    expect(Object.keys(text.kinds).toSorted()).toEqual(mails.toSorted());
  });

  describe('calls a right by its one name', () => {
    const otherNamesIn = (text: string) =>
      text.match(
        /\b(administrators?|administrator(en|in|innen)|owners?|moderators?)\b|\b(eigentümer|inhaber|verwalter)(in|innen|n|s)?\b/gi,
      ) ?? [];
    /** As they are specified. */
    const fixed = ['Contact your administrator to request a password reset', 'Email Administrator'];
    const textsOf = (value: unknown): string[] =>
      typeof value === 'string' ? [value] : Object.values(value as object).flatMap(textsOf);

    it.each([
      ['en', ['Admin', 'Organiser', 'User'], ['Admins', 'Organisers', 'Users']],
      ['de', ['Admin', 'Organisator', 'Nutzer'], ['Admins', 'Organisatoren', 'Nutzer']],
    ])(
      'on the screens and in the mails of %s',
      (locale, [owner, organiser, member], [admins, organisers, users]) => {
        const folder = `${root}/libs/contracts/texts/${locale}`;
        const read = (file: string) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as object;
        expect(read('admin.json')).toMatchObject({
          adminUsersText: {
            roleNames: { owner, organiser, member },
            roles: { admin: admins, organiser: organisers, user: users },
            csv: { admin: owner },
          },
        });
        expect(read('profile.json')).toMatchObject({ profileText: { roles: { owner, organiser, member } } });
        const others = readdirSync(folder)
          .flatMap((file) => textsOf(read(file)))
          .filter((text) => !fixed.includes(text) && otherNamesIn(text).length > 0);
        expect(others).toEqual([]);
      },
    );

    it('in the handbook', () => {
      const folder = `${root}/docs/handbook`;
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
        file.endsWith('.md'),
      );
      expect(files.length).toBeGreaterThan(7);
      const others = files.flatMap((file) => otherNamesIn(readFileSync(`${folder}/${file}`, 'utf8')));
      expect(others).toEqual([]);
    });

    it('and another name is noticed', () => {
      const texts = [
        'Ask the owner',
        'Administrators see it',
        'Eigentümer ändern alles',
        'Hier brauchen Verwalter einen Faktor',
      ];
      expect(texts.filter((text) => otherNamesIn(text).length === 0)).toEqual([]);
    });
  });

  it('says what is wrong with a field by each rule that the API may name', () => {
    // of what no form sends: ids, keys, stored pictures, answers of an authenticator
    const elsewhere = [
      'isId',
      'isIdempotencyKey',
      'isString',
      'isObject',
      'isObjectOf',
      'nestedValidation',
      'fitsIsAdmin',
    ];
    // these only say whether the others are asked
    const conditions = ['isOptional', 'conditionalValidation'];
    const catalogue = readFileSync(`${root}/libs/contracts/texts/en/field-faults.json`, 'utf8');
    const { fieldFaultText: text } = JSON.parse(catalogue) as { fieldFaultText: { rules: object } };
    const storage = getMetadataStorage() as unknown as {
      validationMetadatas: Map<unknown, { context?: { rule?: string }; name?: string; type: string }[]>;
    };
    const rules = [...storage.validationMetadatas.values()]
      .flat()
      .map(({ context, name, type }) => context?.rule ?? name ?? type);
    const said = new Set(rules.filter((rule) => ![...elsewhere, ...conditions].includes(rule)));
    expect(Object.keys(text.rules).toSorted()).toEqual([...said, 'other'].toSorted());
  });
});

describe('A language', () => {
  const all = readCatalogues();
  /** By their paths, without the names of arguments. */
  const textsOf = (texts: Texts, path = ''): [string, string][] =>
    typeof texts === 'string'
      ? [[path, texts.replaceAll(/\{\w+(?=[,}])|\b(select|plural|one|other|host|link|code)(?=[,\s{])/g, '')]]
      : Object.entries(texts).flatMap(([key, each]) => textsOf(each, path === '' ? key : `${path}.${key}`));
  const faultsIn = (texts: Texts, faultsOf: (text: string, path: string) => unknown) =>
    textsOf(texts).flatMap(([path, text]) => {
      const faults = faultsOf(text, path);
      return (Array.isArray(faults) ? faults.length > 0 : faults) ? [`${path}: ${text}`] : [];
    });

  it.each(LOCALES)('%s has no words of another, the sentences of refusals included', (locale) => {
    const own = locale.startsWith('en-') ? catalogueOf(all, locale) : all[locale]!;
    expect(textsOf(own).length).toBeGreaterThan(1_500);
    expect(faultsIn(own, (text) => foreignWordsIn(text, locale))).toEqual([]);
  });

  it('has none in its other form of address either, and a foreign word is noticed', () => {
    expect(faultsIn(all['de-x-du']!, (text) => foreignWordsIn(text, 'de'))).toEqual([]);
    const mixed = [
      'Confirmez your adresse',
      'Bitte enter den Code',
      'Elige une opción',
      'Kies a color und gut',
    ];
    const locales = ['fr', 'de', 'es', 'nl'] as const;
    expect(locales.map((locale, at) => foreignWordsIn(mixed[at]!, locale))).toEqual([
      ['your'],
      [],
      ['une'],
      ['und'],
    ]);
  });

  /** What reads the same in English: names, and words that both have. */
  const ALIKE = {
    each: 'Admin Admins du Google Calendar https://www.linkedin.com/in ID LinkedIn Logo Outlook RSS Sie',
    de: 'Code Community DKIM DMARC Format Hybrid Link Name OK Online optional Passkey SPF Sponsor Status System Test Text TXT Version',
    fr: 'Actions Administration Code Description Format Menu Message Messages Note OK Public Question Questions Sponsor Sponsors Triangles Version',
    es: 'Error Factor No',
    nl: 'Code Factor Filters Help hosts in Later Link Menu OK Online Open Passkey Privacy Sponsor Sponsors Status Test was Week',
  };
  const leftIn = (locale: 'de' | 'fr' | 'es' | 'nl', texts: Texts) => {
    const alike = new RegExp(
      `(?<!\\p{L})(${`${ALIKE.each} ${ALIKE[locale]}`.replaceAll(' ', '|')})(?!\\p{L})`,
      'giu',
    );
    const english = new Map(textsOf(all['en']!));
    return faultsIn(
      texts,
      (text, path) =>
        english.get(path) === text && /\p{L}{2}/u.test(text.replaceAll(/\{\w+\}/g, '').replaceAll(alike, '')),
    );
  };

  it.each(['de', 'fr', 'es', 'nl'] as const)('%s leaves no text in English', (locale) => {
    expect(leftIn(locale, all[locale]!)).toEqual([]);
    const mixed = { events: { browseText: { search: 'Search events' } } };
    expect(leftIn(locale, mixed)).toEqual(['events.browseText.search: Search events']);
  });

  it.each(['en-US', 'en-GB'] as const)('%s is spelt as there', (locale) => {
    expect(faultsIn(catalogueOf(all, locale), (text) => misspeltIn(text, locale))).toEqual([]);
    expect(misspeltIn('The organiser cancelled; the organizer canceled', locale)).toEqual(
      locale === 'en-US' ? ['organiser', 'cancelled'] : ['organizer', 'canceled'],
    );
  });

  describe('that has two ways to address its reader', () => {
    const [formal, informal] = ['de', 'de-x-du'].map((locale) => new Map(textsOf(catalogueOf(all, locale))));
    const TO_FRIENDS = /(?<!\p{L})(du|dich|dir|dein(e[mnrs]?)?|euch|euer|eure[mnrs]?)(?!\p{L})/iu;
    /** Within a sentence: at its beginning 'Sie' may be what was spoken of. */
    const TO_STRANGERS = /(?<![.!?:„(] |^|\n|[{„(])\b(Sie|Ihnen|Ihr(e[mnrs]?)?)\b/;
    const TO_ANYBODY = /\b(Sie|Ihnen|Ihr(e[mnrs]?)?)\b/;
    /** Sentences that begin with who or what was spoken of, and the name of the form itself. */
    const OF_OTHERS = new Set([
      ...[
        'admin.adminSystemText.leftOutHint',
        'common.commonText.discardQuestion',
        'errors.QUESTION_ANSWERED',
      ],
      ...['promote', 'dismiss'].map((way) => `event-form.eventFormText.waitlistOffOptions.${way}`),
      ...['public', 'unlisted'].flatMap((visibility) => [
        `event-form.eventFormText.visibilityHint.${visibility}`,
        `event-life.eventLifeText.publishWarning.${visibility}`,
      ]),
      ...['event-life.eventLifeText.cancelWarning', 'event-page.noticeText.unlisted'],
      ...['event-page.cardText.startedHint', 'event-page.cardText.cancelledHint'],
      ...['messages.messagesText.cancelWarning', 'proposals.proposalQueueText.declineHint'],
      ...['settings.settingsText.formsOfAddress.formal', 'setup.setupText.eventEnd'],
      ...['topics.eventTopicsText.hint', 'topics.adminTopicsText.slugHint'],
      ...['addressHint.ended', 'step.publishHint', 'cancelHint', 'isCancelled'].map(
        (text) => `workspace.workspaceText.${text}`,
      ),
    ]);

    it('says each text to both', () => {
      const forStrangers = [...formal!].filter(
        ([path, text]) => TO_ANYBODY.test(text) && !OF_OTHERS.has(path),
      );
      expect(forStrangers.length).toBeGreaterThan(500);
      expect(forStrangers.filter(([path, text]) => informal!.get(path) === text)).toEqual([]);
    });

    it('mixes them nowhere', () => {
      const name = 'settings.settingsText.formsOfAddress';
      const mixed = (texts: Map<string, string>, other: RegExp) =>
        [...texts].filter(([path, text]) => !path.startsWith(name) && other.test(text));
      expect(mixed(formal!, TO_FRIENDS)).toEqual([]);
      expect(mixed(informal!, TO_STRANGERS)).toEqual([]);
      expect(['Prüf deine Adresse', 'Du bist dabei'].filter((text) => !TO_FRIENDS.test(text))).toEqual([]);
      expect(
        ['Prüfen Sie das', 'Wenn Ihr Platz frei ist'].filter((text) => !TO_STRANGERS.test(text)),
      ).toEqual([]);
    });
  });

  it('has two words in German for logging in and taking part, and one for a mail and for a click, on screens, in mails and in the handbook', () => {
    const english = new Map(textsOf(all['en']!));
    const [LOGIN, PLACE] = [
      /\b(sign(s|ed|ing)?[- ](in|out)|log(ged|ging)? ?(in|out))\b/i,
      /\bregist(er|ration)/i,
    ];
    const said = ['de', 'de-x-du'].flatMap((locale) =>
      textsOf(all[locale]!).flatMap(([path, text]): Said[] =>
        path === 'auth.authText.modeLabel' ? [] : [[english.get(path) ?? '', text]],
      ),
    );
    const handbook = ['admins', 'members', 'organisers'].flatMap((page): Said[] => {
      const [own, others] = ['de/', ''].map((folder) => sectionsOf(`${folder}${page}`));
      return own!.map((section, at) => [others![at]!, section]);
    });
    const onlyAbout = (from: Said[], about: RegExp, not: RegExp) =>
      from.filter(([other]) => about.test(other) && !not.test(other)).map(([, text]) => text);
    const [login, place] = [onlyAbout(said, LOGIN, PLACE), onlyAbout(said, PLACE, LOGIN)];
    expect(Math.min(login.length, place.length)).toBeGreaterThan(120);
    expect(handbook.length).toBeGreaterThan(50);
    login.push(...onlyAbout(handbook, LOGIN, PLACE));
    place.push(...onlyAbout(handbook, PLACE, LOGIN));
    expect(login.filter((text) => /(an|ab)(ge)?meld/i.test(text))).toEqual([]);
    expect(place.filter((text) => /\b(ein|aus)(zu|ge)?logg|\blogin/i.test(text))).toEqual([]);
    const clumsy = /\bDruck\b|\bdrück|(?<!E-)\bMails?\b|\bmailen\b/i;
    const written = [...[...said, ...handbook].map(([, text]) => text), ...sectionsOf('de/README')];
    expect(written.filter((text) => clumsy.test(text))).toEqual([]);
  });

  /** What German says beside what English does. */
  type Said = [english: string, german: string];
  /** Of a page of the handbook, without addresses. */
  const sectionsOf = (page: string) =>
    readFileSync(`${root}/docs/handbook/${page}.md`, 'utf8')
      .replaceAll(/\]\([^)]*\)|<a id="[^"]*">|`[^`]*`/g, ' ')
      .split(/^## /m);
});
