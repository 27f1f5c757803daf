import { Controller } from '@nestjs/common';
import {
  AddImportRows,
  type AddImportRowsRequest,
  ContinueImport,
  CreateImport,
  DomainError,
  type Identity,
  type Import,
  type ImportedEvent,
  type ImportedFields,
  type ImportFileFields,
  type ImportIdRequest,
  type ImportRow,
  LIMITS,
  ListImportRows,
  type ListImportRowsRequest,
  ListImports,
  type Nothing,
  type Page,
  UndoImport,
} from '@meetmark/contracts';
import { cutText } from '@meetmark/contracts/cut-text';
import {
  type Call,
  callerId,
  editAs,
  Handles,
  OutboxWriter,
  requireIdentity,
  requireOrganiser,
} from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { changedContent, contentOfForm, contentValues } from '../events/content/event-content.js';
import { fetchContent, insertContent, updateContent } from '../events/content/event-content.repository.js';
import { keepRendered } from '../events/content/rendered-texts.js';
import { roomForDrafts } from '../events/core/drafts.js';
import { changedFields, changesEntry, eventValues } from '../events/core/event-changes.js';
import { EventEntity, toForm } from '../events/core/event.entity.js';
import { databaseTime, keepForCalendars } from '../events/core/events.repository.js';
import { auditEvent, auditValues, recordAudit } from '../events/notices/event-notices.js';
import { PublicCache } from '../public-cache.js';
import {
  type CreatedRow,
  doneRows,
  type DoneRow,
  findImport,
  insertImport,
  insertRows,
  keepImported,
  knownEvents,
  listImports,
  lockEvents,
  lockImports,
  type NewRow,
  noteCreated,
  noteOutcome,
  pageOfRows,
  pendingRows,
  type PendingRow,
  rejudge,
  setState,
  unseenRows,
} from './imports.repository.js';
import { judge, readFields, refused } from './judge.js';

/** The browser reads the file and sends its rows. Nothing here sends an email. */
@Controller()
export class ImportsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    private readonly publicCache: PublicCache,
  ) {}

  /** @throws DomainError FORBIDDEN */
  @Handles(CreateImport)
  create(file: ImportFileFields, call: Call): Promise<Import> {
    return this.change(call, async (manager, { sub }) => {
      const id = uuid();
      await insertImport(manager, sub, id, file);
      return findImport(manager, sub, id);
    });
  }

  @Handles(ListImports)
  list(_: Nothing, call: Call): Promise<Import[]> {
    return listImports(this.dataSource.manager, callerId(call));
  }

  /** @throws DomainError IMPORT_NOT_FOUND, IMPORT_STARTED, FORBIDDEN */
  @Handles(AddImportRows)
  async addRows({ importId, rows }: AddImportRowsRequest, call: Call): Promise<Import> {
    const read = new Map<ImportedFields, Awaited<ReturnType<typeof readFields>>>();
    for (const { fields } of rows) read.set(fields, await readFields(fields));
    return this.change(call, async (manager, identity) => {
      const { state } = await findImport(manager, identity.sub, importId);
      if (state !== 'preview') throw new DomainError('IMPORT_STARTED');
      const { unseen, keys } = await unseenRows(manager, importId, rows);
      const known = await knownEvents(
        manager,
        identity,
        unseen.map(({ key }) => key),
      );
      const now = await databaseTime(manager);
      const judged = unseen.map(({ fields: given, ...row }): NewRow => {
        const event = read.get(given)!;
        const isRepeated = keys.has(row.key);
        keys.add(row.key);
        const shown = { title: shorten(given.title), startDate: shorten(given.startDate) };
        if (Array.isArray(event)) return { ...row, verdict: 'problem', problems: event, fields: shown };
        if (row.cancelled) return { ...row, ...refused('cancelled'), fields: event };
        if (isRepeated) return { ...row, ...refused('repeated'), fields: event };
        return { ...row, ...judge(event, known.get(row.key), now), fields: event };
      });
      await insertRows(manager, importId, judged);
      return findImport(manager, identity.sub, importId);
    });
  }

  /** @throws DomainError IMPORT_NOT_FOUND, MALFORMED_CURSOR */
  @Handles(ListImportRows)
  async listRows({ importId, ...filter }: ListImportRowsRequest, call: Call): Promise<Page<ImportRow>> {
    const { manager } = this.dataSource;
    await findImport(manager, callerId(call), importId);
    return pageOfRows(manager, importId, filter);
  }

  /** @throws DomainError IMPORT_NOT_FOUND, IMPORT_UNDONE, FORBIDDEN */
  @Handles(ContinueImport)
  continue({ importId }: ImportIdRequest, call: Call): Promise<Import> {
    return this.change(call, async (manager, identity) => {
      const { sub: actorId } = identity;
      const { state, fileName } = await findImport(manager, actorId, importId);
      if (state === 'undoing' || state === 'undone') throw new DomainError('IMPORT_UNDONE');
      if (state === 'preview') {
        // one entry for all new events, which would fill the log otherwise
        const entry = {
          action: 'event.imported',
          actorId,
          subjectId: importId,
          subjectName: fileName,
        } as const;
        await recordAudit(this.outbox, manager, entry);
      }
      if (state !== 'done') {
        const rows = await pendingRows(manager, importId);
        await this.importRows(manager, identity, importId, rows);
        const isDone = (await pendingRows(manager, importId)).length === 0;
        await setState(manager, importId, isDone ? 'done' : 'importing');
      }
      return findImport(manager, identity.sub, importId);
    });
  }

  /** @throws DomainError IMPORT_NOT_FOUND, FORBIDDEN */
  @Handles(UndoImport)
  undo({ importId }: ImportIdRequest, call: Call): Promise<Import> {
    return this.change(call, async (manager, { sub }) => {
      await findImport(manager, sub, importId);
      const ids = (await doneRows(manager, importId)).flatMap(({ eventId }) => eventId ?? []);
      await lockEvents(manager, ids, 'FOR UPDATE');
      // reads the rows again, because an event may have been edited meanwhile
      for (const row of await doneRows(manager, importId)) await this.undoRow(manager, sub, importId, row);
      const isUndone = (await doneRows(manager, importId)).length === 0;
      await setState(manager, importId, isUndone ? 'undone' : 'undoing');
      return findImport(manager, sub, importId);
    });
  }

  private change<T>(
    call: Call,
    work: (manager: EntityManager, identity: Identity) => Promise<T>,
  ): Promise<T> {
    return this.publicCache.transaction(async (manager) => {
      const identity = requireIdentity(call);
      await requireOrganiser(manager, identity);
      await lockImports(manager);
      return work(manager, identity);
    });
  }

  private async importRows(
    manager: EntityManager,
    identity: Identity,
    importId: string,
    rows: PendingRow[],
  ): Promise<void> {
    let room = await roomForDrafts(manager, identity.sub);
    const find = () =>
      knownEvents(
        manager,
        identity,
        rows.map(({ key }) => key),
      );
    const ids = [...(await find()).values()].map(({ eventId }) => eventId);
    await lockEvents(manager, ids, 'FOR NO KEY UPDATE');
    const [known, now] = [await find(), await databaseTime(manager)];
    await editAs(manager, identity.sub);
    const created: CreatedRow[] = [];
    for (const { number, key, fields } of rows) {
      const found = known.get(key);
      const judgement = judge(fields, found, now);
      const isOver = new Date(fields.endDate) <= now;
      if (judgement.verdict === 'new' && !isOver && (room -= 1) < 0)
        await rejudge(manager, importId, number, refused('drafts'));
      else if (judgement.verdict === 'new')
        created.push({ number, fields, eventId: uuid(), status: isOver ? 'published' : 'draft' });
      else if (judgement.verdict === 'changed') {
        const { eventId, fields: previous } = found!;
        await this.updateEvent(manager, identity.sub, eventId, fields);
        await keepImported(manager, key, eventId, fields);
        await noteOutcome(manager, importId, number, { outcome: 'updated', eventId, previous });
      } else await rejudge(manager, importId, number, judgement);
    }
    if (created.length > 0) await this.createEvents(manager, identity.sub, importId, created);
  }

  private async createEvents(
    manager: EntityManager,
    createdById: string,
    importId: string,
    rows: CreatedRow[],
  ): Promise<void> {
    const events = rows.map(({ eventId: id, fields, status }) => ({
      ...eventValues(fields, null),
      ...{ id, status, createdById },
    }));
    await manager.insert(EventEntity, events);
    for (const { eventId, fields } of rows) {
      await insertContent(manager, eventId, contentOfForm(fields), createdById);
      if (fields.descriptionFormat === 'markdown') await keepRendered(manager, eventId);
    }
    await noteCreated(manager, importId, rows);
  }

  private async updateEvent(
    manager: EntityManager,
    editorId: string,
    eventId: string,
    fields: ImportedEvent,
  ): Promise<void> {
    const before = await manager.findOneByOrFail(EventEntity, { id: eventId });
    const after = eventValues({ ...toForm(before), ...fields }, before.bannerHash);
    const content = contentValues(await fetchContent(manager, eventId));
    const newContent = contentOfForm({ onlineUrl: fields.onlineUrl }, content);
    const changedThere = changedContent(content, newContent);
    const changed = [...changedFields(before, after), ...changedThere];
    const sequence = before.sequence + (changesEntry(changed) ? 1 : 0);
    await manager.update(EventEntity, { id: eventId }, { ...after, sequence, updatedAt: () => 'now()' });
    await updateContent(manager, eventId, newContent, changedThere, editorId);
    await keepRendered(manager, eventId);
    const values = auditValues(before, after);
    const subject = { id: eventId, title: after.title };
    await auditEvent(this.outbox, manager, 'event.updated', editorId, subject, changed, values);
  }

  private async undoRow(
    manager: EntityManager,
    sub: string,
    importId: string,
    { number, key, eventId, previous, isUntouched }: DoneRow,
  ): Promise<void> {
    const isGone = eventId === null;
    if (!isGone && isUntouched && previous === null) {
      const event = await manager.findOneByOrFail(EventEntity, { id: eventId });
      await keepForCalendars(manager, eventId, []);
      await auditEvent(this.outbox, manager, 'event.deleted', sub, event);
      await manager.delete(EventEntity, { id: eventId });
    } else if (!isGone && isUntouched) {
      await editAs(manager, sub);
      await this.updateEvent(manager, sub, eventId, previous!);
      await keepImported(manager, key, eventId, previous!);
    }
    await noteOutcome(manager, importId, number, { outcome: isGone || isUntouched ? 'undone' : 'kept' });
  }
}

/** Enough of an unreadable row's text to recognise it. */
const shorten = (text: string | null = null) => text && cutText(text, LIMITS.title);
