import { randomUUID } from 'node:crypto';
import {
  type Community,
  DATA_EXPORT,
  DataExportMail,
  formatMoment,
  type PayloadOf,
} from '@meetmark/contracts';
import { tagFor } from '@meetmark/i18n/locales';
import { InjectCommunity } from '@meetmark/platform';
import { buttons, facts, paragraph } from '@meetmark/platform/mail/blocks';
import { defineTemplate } from '@meetmark/platform/mail/content';
import { Links } from '@meetmark/platform/mail/links';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountMails, type AccountVariables, notYou } from '../auth/account-mails.js';
import { mailWords } from '../mail/words.js';
import { Recipients } from '../mail/recipients.js';
import { HandlesJob, type JobContext, type MailOutcome } from '../queue/job-handler.js';
import { type ExportedRegistration, writeCalendar } from './calendar.js';
import { DATA_EXPORT_SCHEMA, KINDS, PICTURES } from './kinds.js';
import { splitBytes, type ZippedFile, zipFiles } from './zip.js';

const ROWS = 100;
/** Images in memory at a time. */
const IMAGES = 5;

interface Source {
  manager: EntityManager;
  exportId: string;
  locale: string;
}

/**
 * Writes the file in parts, so that neither a process nor a message holds all of it. An attempt that takes
 * over from a killed worker starts again.
 */
@Injectable()
export class DataExportJob {
  constructor(
    private readonly dataSource: DataSource,
    private readonly recipients: Recipients,
    private readonly mails: AccountMails,
    private readonly links: Links,
    @InjectCommunity() private readonly community: Community,
  ) {}

  @HandlesJob(DataExportMail)
  async handle(
    { userId, exportId }: PayloadOf<typeof DataExportMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const expiresAt = (await this.findReady(exportId)) ?? (await this.prepare(userId, exportId));
    if (expiresAt === null) return 'skipped';
    return this.mails.send(job, userId, (mail) => {
      const until = formatMoment(expiresAt, { timeZone: this.community.timeZone, locale: mail.locale });
      return dataExport({ ...mail, until, url: this.links.ownData() });
    });
  }

  private async findReady(exportId: string): Promise<Date | null> {
    const [row] = await this.dataSource.query<{ expiresAt: Date }[]>(
      `SELECT expires_at AS "expiresAt" FROM auth.data_exports
       WHERE id = $1 AND ready_at IS NOT NULL AND expires_at > now()`,
      [exportId],
    );
    return row?.expiresAt ?? null;
  }

  /** Returns null if the account or the request is gone. */
  private async prepare(userId: string, exportId: string): Promise<Date | null> {
    const recipient = await this.recipients.find(userId);
    const attempt = randomUUID();
    const [, claimed] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE auth.data_exports SET attempt = $2 WHERE id = $1 AND ready_at IS NULL AND expires_at > now()`,
      [exportId, attempt],
    );
    if (recipient === null || claimed === 0) return null;
    await this.dataSource.query('DELETE FROM auth.data_export_parts WHERE export_id = $1', [exportId]);
    // One snapshot, so that the files fit together.
    const size = await this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      await manager.query("SET TRANSACTION READ ONLY; SET LOCAL timezone = 'UTC'");
      const locale = tagFor(recipient.locale, this.community);
      return this.store(exportId, attempt, this.readFiles({ manager, exportId, locale }));
    });
    const [[ready]] = await this.dataSource.query<[{ expiresAt: Date }[], number]>(
      `UPDATE auth.data_exports SET ready_at = now(), size = $3, expires_at = now() + interval '1 millisecond' * ${DATA_EXPORT.lifetime}
       WHERE id = $1 AND attempt = $2 RETURNING expires_at AS "expiresAt"`,
      [exportId, attempt, size],
    );
    if (ready === undefined) throw new Error(REPLACED);
    return ready.expiresAt;
  }

  private async store(exportId: string, attempt: string, files: AsyncIterable<ZippedFile>): Promise<number> {
    let [number, size] = [0, 0];
    for await (const bytes of splitBytes(zipFiles(files), DATA_EXPORT.partBytes)) {
      const stored = await this.dataSource.query<unknown[]>(
        `INSERT INTO auth.data_export_parts (export_id, attempt, number, bytes)
         SELECT id, attempt, $3::integer, $4::bytea FROM auth.data_exports WHERE id = $1 AND attempt = $2 RETURNING number`,
        [exportId, attempt, number, bytes],
      );
      if (stored.length === 0) throw new Error(REPLACED);
      number += 1;
      size += bytes.length;
    }
    return size;
  }

  private async *readFiles(source: Source): AsyncGenerator<ZippedFile> {
    yield { name: 'schema.json', content: only(JSON.stringify(DATA_EXPORT_SCHEMA, null, 2)) };
    for (const [name, { from, isSingle }] of Object.entries(KINDS)) {
      const rows = readAll(source, from, ROWS);
      yield { name, content: isSingle ? writeFirst(rows) : writeList(rows) };
    }
    const registrations = readAll<ExportedRegistration>(source, ['events.export_registrations'], ROWS);
    const context = { community: this.community, links: this.links, locale: source.locale };
    yield { name: 'calendar.ics', content: writeCalendar(registrations, context) };
    for (const from of PICTURES)
      for await (const { name, bytes } of readRows<{ name: string; bytes: Buffer }>(source, from, IMAGES))
        yield { name: `images/${name}`, content: only(bytes), isCompressed: true };
  }
}

const REPLACED = 'Another attempt replaced this one, or the account was closed or deleted';

async function* readRows<Row>(
  { manager, exportId }: Source,
  from: string,
  batch: number,
): AsyncGenerator<Row> {
  const cursor = from.replace('.', '_');
  await manager.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT * FROM ${from}($1)`, [exportId]);
  for (let fetched = batch; fetched === batch;) {
    const rows = await manager.query<Row[]>(`FETCH ${batch} FROM ${cursor}`);
    yield* rows;
    fetched = rows.length;
  }
  await manager.query(`CLOSE ${cursor}`);
}

/** Reads functions that return one JSON column, which has the function's name. */
async function* readAll<Row>(source: Source, from: string[], batch: number): AsyncGenerator<Row> {
  for (const each of from)
    for await (const row of readRows<Record<string, Row>>(source, each, batch)) yield* Object.values(row);
}

async function* only<T>(content: T): AsyncGenerator<T> {
  yield content;
}

async function* writeFirst(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row, null, 2)}\n`;
}

async function* writeList(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[';
  for await (const row of rows) {
    yield `${before}\n${JSON.stringify(row, null, 2)}`;
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

export const dataExport = defineTemplate<AccountVariables & { until: string; url: string }>(
  'data-export',
  (mail) => {
    const { account, dataExport: words } = mailWords(mail.locale);
    const community = mail.communityName;
    return {
      subject: words.subject({ community }),
      preview: words.what,
      title: words.title,
      firstName: mail.firstName,
      blocks: [
        paragraph(words.what),
        facts([words.until, mail.until]),
        buttons({ label: words.button, url: mail.url }),
        ...notYou(mail),
      ],
      reason: account.alwaysSent({ community }),
    };
  },
);
