import { readdirSync, readFileSync } from 'node:fs';
import { allJobs } from '@meetmark/contracts';
import { getMetadataStorage } from 'class-validator';
import { ESLint } from 'eslint';
import { fileURLToPath } from 'node:url';
import typescript from 'typescript-eslint';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('What people read', () => {
  // texts that are in no file have no types
  const eslint = new ESLint({ cwd: root, overrideConfig: typescript.configs.disableTypeChecked });
  const rulesBrokenBy = async (file: string, code: string) => {
    const [result] = await eslint.lintText(code, { filePath: `${root}/${file}` });
    return result?.messages.map(({ ruleId }) => ruleId);
  };
  const screen = (element: string) => rulesBrokenBy('web/src/x.tsx', `export const x = ${element};`);
  const mail = (part: string) =>
    rulesBrokenBy('services/worker/src/events/x.ts', `export const x = ${part};`);

  it.each([
    ['between tags', '<p>Save it</p>'],
    ['in an expression', "<p>{saved ? 'Saved' : text.save}</p>"],
    ['in a template', '<p>{`${count} places`}</p>'],
    ['in a label', '<input aria-label="Email" />'],
    ['in a property of our own', '<Field label={wide ? text.long : "Short"} />'],
    ['in a toast', "toasts.success('Saved')"],
  ])('is not written on a screen: %s', async (_where, element) => {
    expect(await screen(element)).toEqual(['texts/on-screens']);
  });

  it.each([
    ['texts of a catalogue', '<p title={text.title}>{text.save(name)}</p>'],
    ['signs', '<p>{name} · ({count}) → {after}</p>'],
    ['the beginning of an address', '<input placeholder="https://" className="wide" type="url" />'],
  ])('may be %s', async (_what, element) => {
    expect(await screen(element)).toEqual([]);
  });

  it.each([
    ['a paragraph', "paragraph('Hello')"],
    ['a quote', 'quote(`Why ${who}`, words)'],
    ['a label', "buttons({ label: 'View event', url })"],
    ['a subject', '({ subject: `New: ${title}`, preview: mail.when.text })'],
  ])('is not written in %s of a mail', async (_where, part) => {
    expect(await mail(part)).toEqual(['texts/in-mails']);
  });

  it('may be the words of a mail’s catalogue', async () => {
    expect(await mail('({ subject: words.subject({ title }), blocks: [paragraph(words.what())] })')).toEqual(
      [],
    );
  });

  it('says in our own words what is wrong with a form, not in the browser’s', async () => {
    expect(await screen('<Form name="user"><input /></Form>')).toEqual(['texts/in-forms']);
    expect(await screen('<Form name="user" noValidate><input /></Form>')).toEqual([]);
  });

  it('names every kind of mail on the System page', () => {
    const catalogue = readFileSync(`${root}/libs/contracts/texts/en-US/admin.json`, 'utf8');
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
      ['en-US', ['Admin', 'Organiser', 'User'], ['Admins', 'Organisers', 'Users']],
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
      const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
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
    const catalogue = readFileSync(`${root}/libs/contracts/texts/en-US/field-faults.json`, 'utf8');
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
