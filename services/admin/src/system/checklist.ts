import { type Checklist, type ChecklistItem, MAIL_RECORDS } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { SettingsService } from '../settings/settings.service.js';
import { ChecklistRepository } from './checklist.repository.js';

const NEEDED_MEMBERS = 10;
/** Milliseconds after which a backup is too old to count: they are made daily. */
const BACKUP_COUNTS_FOR = 7 * 24 * 3_600_000;

/** What owners see to in the first month: each answer is computed from what is stored. */
@Injectable()
export class ChecklistService {
  constructor(
    private readonly stored: ChecklistRepository,
    private readonly settings: SettingsService,
  ) {}

  async get(): Promise<Checklist> {
    const [counts, { settings }, mailCheck, lastBackup] = await Promise.all([
      this.stored.counts(),
      this.settings.get(),
      this.stored.mailCheck(),
      this.stored.lastBackup(),
    ]);
    const { mailArrived } = counts;
    const found = mailCheck?.records.filter(({ state }) => state === 'found').length ?? 0;
    const pages = [settings.terms, settings.privacy];
    const isFresh = lastBackup !== null && Date.now() - Date.parse(lastBackup) < BACKUP_COUNTS_FOR;
    return {
      items: [
        item('mail', found + Number(mailArrived), MAIL_RECORDS.length + 1),
        item('legalPages', pages.filter((page) => page !== null).length, pages.length),
        item('secondFactor', counts.ownersWithFactor, counts.owners),
        item('members', counts.members, NEEDED_MEMBERS),
        item('topics', counts.topics),
        item('firstEvent', counts.published),
        item('firstEvening', counts.held),
        item('backup', Number(isFresh)),
      ],
      mailArrived,
      mailCheck,
      lastBackup,
    };
  }
}

const item = (name: ChecklistItem['name'], count: number, needed = 1): ChecklistItem => ({
  name,
  count,
  needed,
  done: count >= needed,
});
