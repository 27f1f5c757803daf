import type {
  FieldRule,
  Import,
  ImportOptions,
  ImportOutcome,
  ImportProblem,
  ImportRow,
  ImportVerdict,
} from '@meetmark/contracts';
import { IMPORTS } from '@meetmark/contracts/import-limits';
import { importsText as text } from '@meetmark/i18n/texts/imports';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { ApiError, send, sendForJson } from '../../../api/client';
import { useMutation } from '../../../api/mutation';
import { readPage, withQuery } from '../../../api/pages';
import { ALWAYS_STALE, readQuery } from '../../../api/query-client';
import { refreshEvents } from '../../events/shared/events.api';
import { ROWS_PER_PAGE } from '../shared/paged-list';
import type { FileRow } from './read-csv';

const PATH = '/api/admin/imports';
const ROWS_KEY = [PATH, 'rows'] as const;

export const importsQuery = { ...readQuery<Import[]>(PATH, [PATH, 'list']), ...ALWAYS_STALE };

export const importOptionsQuery = readQuery<ImportOptions>(`${PATH}/options`);

export interface RowsFilter {
  verdict?: ImportVerdict;
  outcome?: ImportOutcome;
}

export const firstRowsPath = (id: string, filter: RowsFilter) =>
  withQuery(`${PATH}/${id}/rows`, { ...filter, limit: ROWS_PER_PAGE });

export type ListedRow = ImportRow & { id: string; faults: string[] };

export const rowsPageQuery = (path: string) =>
  queryOptions({
    queryKey: [...ROWS_KEY, path],
    queryFn: async ({ signal }) => {
      const page = await readPage<ImportRow>(path, signal);
      // loaded late, because a static import would put these texts and the Markdown reader into one file
      const { formatRule } = await import('../../../api/field-faults');
      const items = page.items.map((row): ListedRow => {
        const faults = row.problems.map((problem) => formatProblem(problem, formatRule));
        return { ...row, id: String(row.number), faults };
      });
      return { ...page, items };
    },
    ...ALWAYS_STALE,
  });

const problems: Partial<Record<string, string>> = text.problems;
const fields: Partial<Record<string, string>> = text.fields;

const formatProblem = ({ field, ...rule }: ImportProblem, formatRule: (rule: FieldRule) => string): string =>
  problems[rule.rule] ?? text.problem({ field: fields[field] ?? field, fault: formatRule(rule) });

/** Bytes of rows per request. */
const MOST_BYTES = 256 * 1024;
const encoder = new TextEncoder();

export function batches(rows: FileRow[]): object[][] {
  const all: object[][] = [];
  let room = 0;
  for (const [index, row] of rows.entries()) {
    const numbered = { number: index + 1, ...row };
    const size = encoder.encode(JSON.stringify(numbered)).length;
    if (size > room || all.at(-1)!.length === IMPORTS.batch) {
      all.push([]);
      room = MOST_BYTES;
    }
    all.at(-1)!.push(numbered);
    room -= size;
  }
  return all;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const TRIES = 5;
const PAUSE = 2_000;

/** Sends again if the server is busy. Every call of an import can be repeated. */
async function persistently(path: string, body?: object): Promise<Import> {
  for (let tries = 1; ; tries += 1)
    try {
      return await sendForJson<Import>(path, { method: 'POST', body });
    } catch (error) {
      if (!(error instanceof ApiError) || ![429, 503].includes(error.status) || tries === TRIES) throw error;
      const { retryAfter } = error.body?.details ?? {};
      await pause((retryAfter ?? 0) * 1_000 || PAUSE);
    }
}

export function useLoadFile() {
  return useMutation({
    mutationFn: async (link: string) => {
      // links to calendars often start with webcal:
      const url = link.trim().replace(/^webcals?:/i, 'https:');
      const response = await send(`${PATH}/fetch`, { method: 'POST', body: { url } });
      // only the host, because the path of a private calendar is a secret
      return { fileName: new URL(url).host, bytes: await response.arrayBuffer() };
    },
  });
}

interface FileRows {
  fileName: string;
  rows: FileRow[];
}

/** @param progress is called with the import after each request */
export function useSendRows(progress: (sent: Import) => void) {
  return useMutation({
    mutationFn: async ({ fileName, rows }: FileRows) => {
      let sent = await persistently(PATH, { fileName: fileName.slice(0, IMPORTS.fileName) });
      for (const batch of batches(rows)) {
        sent = await persistently(`${PATH}/${sent.id}/rows`, { rows: batch });
        progress(sent);
      }
      return sent;
    },
    onSettled: useRefresh(),
  });
}

const LAST = { continue: 'done', undo: 'undone' } as const;

export function useImportSteps(action: keyof typeof LAST, progress: (step: Import) => void) {
  return useMutation({
    mutationFn: async (id: string) => {
      for (;;) {
        const began = performance.now();
        const step = await persistently(`${PATH}/${id}/${action}`);
        progress(step);
        if (step.state === LAST[action]) return step;
        await pause((performance.now() - began) * IMPORTS.rest);
      }
    },
    onSettled: useRefresh(),
  });
}

function useRefresh() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: [PATH] });
    void refreshEvents(client);
  };
}
