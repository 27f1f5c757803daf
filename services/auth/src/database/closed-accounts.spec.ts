import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** SQL that reads closed accounts like others, with the reason. */
const READS_CLOSED: Record<string, string> = {
  'administrator_refusal.sql': 'closing raises the epoch',
  'organiser_refusal.sql': 'closing raises the epoch',
  'manager_refusal.sql': 'closing raises the epoch',
  'has_account.sql': 'sign-ins to a closed account are logged',
  'member_locale.sql': 'the last email needs the language',
  'drop_unshown_picture.sql': 'the photo comes back with the account',
  'note_second_factor.sql': 'keeps the account consistent',
  'refuse_unproved_factor.sql': 'keeps the account consistent',
  'confirm_subscription.sql': 'only topics follow, which cause no email to a closed account',
  'find_members.sql': 'reads auth.member_card',
  'delete_unconfirmed_account.sql': 'a closed account is deleted anyway',
  'export_picture.sql': 'only the owner can download it',
  'export_profile.sql': 'only the owner can download it',
  'name_former_members.sql': 'the account can be restored',
};

const FOLDERS = ['auth', 'events', 'admin'].map((owner) =>
  join(import.meta.dirname, `../../../${owner}/src/database`),
);

describe('database functions and views that read accounts', () => {
  it('leave out closed accounts, or have a reason not to', () => {
    const reading = FOLDERS.flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(({ name }) => name.endsWith('.sql') && name !== 'baseline.sql')
        .map(({ parentPath, name }) => ({ name, sql: readFileSync(join(parentPath, name), 'utf8') }))
        .filter(({ sql }) => /(FROM|JOIN) auth[.]users\b/.test(sql)),
    );
    expect(reading.length).toBeGreaterThan(20);
    const unaware = reading.filter(({ sql }) => !sql.includes('closed_at')).map(({ name }) => name);
    expect(unaware.toSorted()).toEqual(Object.keys(READS_CLOSED).toSorted());
  });
});
