import { type Checklist, type ChecklistItem, GetChecklist, MAIL_RECORDS } from '@meetmark/contracts';
import { Handles } from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SettingsService } from '../settings/settings.service.js';
import { checklistCounts, lastBackupAt, lastMailCheck } from './checklist.repository.js';

const NEEDED_MEMBERS = 10;
/** Milliseconds for which the checklist counts a backup. */
const BACKUP_COUNTS_FOR = 7 * 24 * 3_600_000;

@Controller()
export class ChecklistService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: SettingsService,
  ) {}

  @Handles(GetChecklist)
  async get(): Promise<Checklist> {
    const [counts, { settings }, mailCheck, lastBackup] = await Promise.all([
      checklistCounts(this.dataSource),
      this.settings.get(),
      lastMailCheck(this.dataSource),
      lastBackupAt(this.dataSource),
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
