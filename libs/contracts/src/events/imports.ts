import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { type DescriptionFormat, EVENT_FORMATS, type EventFormat } from './event-form.js';
import type { FieldRule } from '../errors.js';
import { IMPORTS } from '../import-limits.js';
import { messagesTo, Nothing } from '../message.js';
import { type Page, PageRequest } from '../paging.js';
import {
  About,
  EmptyAsNull,
  IfGiven,
  IsFilled,
  IsId,
  ListOf,
  ObjectOf,
  PlainText,
  SingleLine,
  withIds,
} from '../validation.js';

const events = messagesTo('events');

export interface ImportOptions {
  /** Whether the gateway fetches files from URLs. */
  urls: boolean;
}

/** States only move forward. `undoing` can start from any of the others. */
export const IMPORT_STATES = ['preview', 'importing', 'done', 'undoing', 'undone'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** What the import does with a row. */
export const IMPORT_VERDICTS = ['new', 'changed', 'unchanged', 'problem'] as const;
export type ImportVerdict = (typeof IMPORT_VERDICTS)[number];

/** `kept`: undoing the import left the event, because someone edited it or registered. */
export const IMPORT_OUTCOMES = ['created', 'updated', 'undone', 'kept'] as const;
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

/**
 * Texts as in the file, which the service checks for each row. So a value that isn't valid makes the row a
 * problem and doesn't reject the request.
 */
export class ImportedFields {
  @About('Title of the event', 'SEO breakfast')
  @EmptyAsNull()
  @PlainText(IMPORTS.text)
  title?: string | null = null;

  @About('Description', 'Coffee and three short talks')
  @EmptyAsNull()
  @PlainText(IMPORTS.text)
  description?: string | null = null;

  @About('Whether `description` is Markdown. Default: false')
  @IfGiven()
  @IsBoolean()
  isMarkdown?: boolean;

  @About('Start, as an ISO 8601 date and time with a zone', '2030-05-01T08:00:00.000Z')
  @EmptyAsNull()
  @PlainText(IMPORTS.text)
  startDate?: string | null = null;

  @About('End, after the start', '2030-05-01T10:00:00.000Z')
  @EmptyAsNull()
  @PlainText(IMPORTS.text)
  endDate?: string | null = null;

  @About('Whether the event lasts whole days. Default: false')
  @IfGiven()
  @IsBoolean()
  isAllDay?: boolean;

  @About("IANA time zone. null: the community's", 'Europe/London')
  @EmptyAsNull()
  @PlainText(IMPORTS.text)
  timeZone?: string | null = null;

  @About('Where people meet, in one line', 'Granary Hall, Leeds')
  @EmptyAsNull()
  @PlainText(IMPORTS.text)
  location?: string | null = null;

  @About('Joining link, an https URL')
  @EmptyAsNull()
  @PlainText(IMPORTS.text)
  onlineUrl?: string | null = null;

  @About('How people take part. Default: `in_person`', 'in_person')
  @IfGiven()
  @IsIn(EVENT_FORMATS)
  format?: EventFormat;

  @About("Decimal in the community's currency", '12.50')
  @EmptyAsNull()
  @PlainText(IMPORTS.text)
  price?: string | null = null;

  @About('Number of places', '60')
  @EmptyAsNull()
  @PlainText(IMPORTS.text)
  capacity?: string | null = null;
}

export class ImportRowFields {
  @About('Position in the file, from 1', 1)
  @IsInt()
  @Min(1)
  @Max(IMPORTS.rows)
  number!: number;

  @About('Identifies the event in its source, such as the UID of a calendar entry', 'abc@example.com')
  @SingleLine(IMPORTS.key)
  @IsFilled()
  key!: string;

  @About('The event')
  @ObjectOf(ImportedFields)
  fields!: ImportedFields;

  @About('Whether the file has no end, so that the end is assumed. Default: false')
  @IfGiven()
  @IsBoolean()
  assumedEnd?: boolean;

  @About('Whether this is the first date of an event that repeats. Default: false')
  @IfGiven()
  @IsBoolean()
  repeats?: boolean;

  @About('Whether the event was cancelled, so that it is left out. Default: false')
  @IfGiven()
  @IsBoolean()
  cancelled?: boolean;
}

export class ImportFileFields {
  @About('Name of the file', 'events.csv')
  @SingleLine(IMPORTS.fileName)
  @IsFilled()
  fileName!: string;
}

export interface Import {
  id: string;
  fileName: string;
  state: ImportState;
  createdAt: string;
  rows: number;
  verdicts: Record<ImportVerdict, number>;
  outcomes: Record<ImportOutcome, number>;
}

export interface ImportProblem {
  field: string;
  message: string;
  rule: FieldRule['rule'];
  limit?: number;
}

export interface ImportRow {
  number: number;
  title: string | null;
  /** As in the file, if the row has a problem. */
  startDate: string | null;
  isAllDay: boolean;
  timeZone: string | null;
  verdict: ImportVerdict;
  problems: ImportProblem[];
  assumedEnd: boolean;
  repeats: boolean;
  outcome: ImportOutcome | null;
  eventId: string | null;
}

/** Fields of an event that imports write. */
export interface ImportedEvent {
  title: string;
  description: string | null;
  descriptionFormat: DescriptionFormat;
  startDate: string;
  endDate: string;
  isAllDay: boolean;
  timeZone: string | null;
  location: string | null;
  onlineUrl: string | null;
  format: EventFormat;
  price: string | null;
  capacity: number | null;
}

export class ImportIdRequest {
  @IsId()
  importId!: string;
}

/** Deletes the caller's other previews. */
export const CreateImport = events.organiser('imports.create', ImportFileFields)<Import>();

/** Returns the caller's last imports, newest first. */
export const ListImports = events.organiser('imports.list', Nothing)<Import[]>();

export class ImportRowsFields {
  @About('Rows of the file')
  @ListOf(ImportRowFields, IMPORTS.batch)
  rows!: ImportRowFields[];
}

export class AddImportRowsRequest extends withIds(ImportRowsFields, 'importId') {}

/**
 * Judges the rows. A row whose number was sent before stays as it is.
 * @throws IMPORT_NOT_FOUND
 * @throws IMPORT_STARTED
 */
export const AddImportRows = events.organiser('imports.addRows', AddImportRowsRequest)<Import>();

export class ImportRowFilter extends PageRequest {
  @About('Only rows with this verdict')
  @IfGiven()
  @IsIn(IMPORT_VERDICTS)
  verdict?: ImportVerdict;

  @About('Only rows with this outcome')
  @IfGiven()
  @IsIn(IMPORT_OUTCOMES)
  outcome?: ImportOutcome;
}

export class ListImportRowsRequest extends withIds(ImportRowFilter, 'importId') {}

/** @throws IMPORT_NOT_FOUND */
export const ListImportRows = events.organiser('imports.listRows', ListImportRowsRequest)<Page<ImportRow>>();

/**
 * Imports the next rows. Call it until `state` is `done`.
 * @throws IMPORT_NOT_FOUND
 * @throws IMPORT_UNDONE
 */
export const ContinueImport = events.organiser('imports.continue', ImportIdRequest)<Import>();

/**
 * Undoes the next rows. Call it until `state` is `undone`.
 * @throws IMPORT_NOT_FOUND
 */
export const UndoImport = events.organiser('imports.undo', ImportIdRequest)<Import>();
