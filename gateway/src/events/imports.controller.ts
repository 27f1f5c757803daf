import type * as Contract from '@meetmark/contracts';
import {
  AddImportRows,
  ContinueImport,
  CreateImport,
  IMPORT_OUTCOMES,
  IMPORT_STATES,
  IMPORT_VERDICTS,
  ImportFileFields,
  ImportRowFilter,
  ImportRowsFields,
  ListImportRows,
  ListImports,
  UndoImport,
} from '@meetmark/contracts';
import { Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access, routeTraits } from '../http/access.js';
import { answerPage, Fields, Filter, Id } from '../http/fields.js';
import { COUNT, ID, ID_OR_NULL, MOMENT, OR_NULL } from '../openapi/answers.js';
import { Describe, describeList, describePage } from '../openapi/describe.js';
import { Services } from '../services.js';

/** Bytes of a request with rows. */
const BODY_LIMIT = 512 * 1024;

class ImportVerdicts implements Record<Contract.ImportVerdict, number> {
  @ApiProperty({ ...COUNT, description: 'Events that the import creates' }) new!: number;
  @ApiProperty({ ...COUNT, description: 'Events that the import updates' }) changed!: number;
  @ApiProperty({ ...COUNT, description: 'Events that stay as they are' }) unchanged!: number;
  @ApiProperty({ ...COUNT, description: 'Rows that the import leaves out' }) problem!: number;
}

class ImportOutcomes implements Record<Contract.ImportOutcome, number> {
  @ApiProperty({ ...COUNT, description: 'Events created so far' }) created!: number;
  @ApiProperty({ ...COUNT, description: 'Events updated so far' }) updated!: number;
  @ApiProperty({ ...COUNT, description: 'Rows undone' }) undone!: number;
  @ApiProperty({ ...COUNT, description: 'Events kept, because of guests or edits' }) kept!: number;
}

class Import implements Contract.Import {
  @ApiProperty(ID) id!: string;
  @ApiProperty() fileName!: string;
  @ApiProperty({ enum: IMPORT_STATES }) state!: Contract.ImportState;
  @ApiProperty(MOMENT) createdAt!: string;
  @ApiProperty(COUNT) rows!: number;
  @ApiProperty() verdicts!: ImportVerdicts;
  @ApiProperty() outcomes!: ImportOutcomes;
}

class ImportProblem implements Contract.ImportProblem {
  @ApiProperty({ description: 'Name of the field, or `key` for the whole row' }) field!: string;
  @ApiProperty({ description: 'What is wrong, in English' }) message!: string;
  @ApiProperty({ description: 'Stable name of the rule' }) rule!: string;
  @ApiProperty({ required: false, description: 'Limit of the rule' }) limit?: number;
}

class ImportRow implements Contract.ImportRow {
  @ApiProperty({ ...COUNT, description: 'Position in the file' }) number!: number;
  @ApiProperty(OR_NULL) title!: string | null;
  @ApiProperty({ ...OR_NULL, description: 'Start, or the text in the file if the row has a problem' })
  startDate!: string | null;
  @ApiProperty() isAllDay!: boolean;
  @ApiProperty(OR_NULL) timeZone!: string | null;
  @ApiProperty({ enum: IMPORT_VERDICTS }) verdict!: Contract.ImportVerdict;
  @ApiProperty({ type: [ImportProblem] }) problems!: ImportProblem[];
  @ApiProperty({ description: 'Whether the file has no end' }) assumedEnd!: boolean;
  @ApiProperty({ description: 'Whether only the first date is imported' }) repeats!: boolean;
  @ApiProperty({ enum: IMPORT_OUTCOMES, nullable: true }) outcome!: Contract.ImportOutcome | null;
  @ApiProperty(ID_OR_NULL) eventId!: string | null;
}

@Controller('api/admin/imports')
export class ImportsController {
  constructor(private readonly services: Services) {}

  @Describe({
    summary: 'Create an import of events',
    description:
      'Then send the rows, and continue the import. Deletes your other imports that were never started. Imports are kept for 30 days.',
    answers: { 201: Import },
  })
  @Post()
  @Access('organiser')
  create(@Fields(ImportFileFields) file: ImportFileFields): Promise<Import> {
    return this.services.call(CreateImport, file);
  }

  @Describe({
    summary: 'List your imports of events',
    description: 'The last ten, newest first.',
    answers: { 200: describeList(Import) },
  })
  @Get()
  @Access('organiser')
  list(): Promise<Import[]> {
    return this.services.read(ListImports, {});
  }

  @Describe({
    summary: 'Send rows of an import',
    description:
      'Up to 40 per request and 2,000 per import. Gives each row a verdict: an invalid value makes the row a problem and is no error. A number that you sent before keeps its row.',
    answers: { 200: Import },
    refuses: ['IMPORT_NOT_FOUND', 'IMPORT_STARTED'],
  })
  @Post(':id/rows')
  @HttpCode(200)
  @Access('organiser')
  @routeTraits({ bodyLimit: BODY_LIMIT })
  addRows(@Id() importId: string, @Fields(ImportRowsFields) { rows }: ImportRowsFields): Promise<Import> {
    return this.services.read(AddImportRows, { importId, rows });
  }

  @Describe({
    summary: 'List the rows of an import',
    description: 'In the order of the file, with verdict, problems and outcome.',
    answers: { 200: describePage(ImportRow) },
    refuses: ['IMPORT_NOT_FOUND'],
  })
  @Get(':id/rows')
  @Access('organiser')
  async rows(
    @Id() importId: string,
    @Filter(ImportRowFilter) filter: ImportRowFilter,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportRow[]> {
    return answerPage(reply, filter, await this.services.read(ListImportRows, { importId, ...filter }));
  }

  @Describe({
    summary: 'Import the next events',
    description:
      'Starts or continues the import. Repeat it until `state` is `done`. Past events are published, others become drafts. Sends no email.',
    answers: { 200: Import },
    refuses: ['IMPORT_NOT_FOUND', 'IMPORT_UNDONE'],
  })
  @Post(':id/continue')
  @HttpCode(200)
  @Access('organiser')
  continue(@Id() importId: string): Promise<Import> {
    return this.services.read(ContinueImport, { importId });
  }

  @Describe({
    summary: 'Undo the next events of an import',
    description:
      'Repeat it until `state` is `undone`. Deletes created events and restores updated ones, but keeps events that someone edited or registered for. Sends no email.',
    answers: { 200: Import },
    refuses: ['IMPORT_NOT_FOUND'],
  })
  @Post(':id/undo')
  @HttpCode(200)
  @Access('organiser')
  undo(@Id() importId: string): Promise<Import> {
    return this.services.read(UndoImport, { importId });
  }
}
