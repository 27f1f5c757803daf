import type { Import } from '@meetmark/contracts';
import { IMPORTS } from '@meetmark/contracts/import-limits';
import { LIMITS } from '@meetmark/contracts/limits';
import { importsText as text } from '@meetmark/i18n/texts/imports';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useCommunity } from '../../../api/community';
import { ActionButton } from '../../../ui/action-button';
import { Choice, toOptions } from '../../../ui/choice';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { Loaded, Refusal } from '../../../ui/feedback';
import { Field } from '../../../ui/field';
import { SelectField } from '../../../ui/select-field';
import { useForm } from '../../../ui/use-form';
import { useFormats } from '../../../ui/use-formats';
import { useAction } from '../../auth/use-action';
import styles from './imports.module.css';
import { importOptionsQuery, importsQuery, useImportSteps, useLoadFile, useSendRows } from './imports.api';
import { ImportRows } from './import-rows';
import type { DateOrder } from './moments';
import { isCalendar, readCalendar } from './read-calendar';
import {
  CSV_FIELDS,
  type CsvField,
  type FileRow,
  type Mapping,
  orderOf,
  readRows,
  readTable,
  type Table,
} from './read-csv';
import { decodeText, ImportFileError } from './read-file';

interface MappedFile {
  fileName: string;
  table: Table;
}

export default function ImportDialog({ close }: { close: () => void }) {
  const { timeZone } = useCommunity();
  const [toMap, setToMap] = useState<MappedFile | null>(null);
  const [shown, setShown] = useState<Import | null>(null);
  const [total, setTotal] = useState(0);
  const sending = useSendRows(setShown);
  const send = useAction(sending);

  const check = (fileName: string, rows: FileRow[]) => {
    setToMap(null);
    setTotal(rows.length);
    // an import whose rows didn't all arrive isn't offered
    send({ fileName, rows }, { failed: text.failed, onSuccess: setShown, onError: () => setShown(null) });
  };
  const read = (fileName: string, bytes: Uint8Array) => {
    const content = decodeText(bytes);
    if (isCalendar(content)) return check(fileName, readCalendar(content, timeZone));
    const table = readTable(content);
    const order = orderOf(table, table.mapping);
    if (table.source === null || order === null) return setToMap({ fileName, table });
    check(fileName, readRows(table, { mapping: table.mapping, order, zone: timeZone }));
  };
  return (
    <Dialog title={text.title} close={close} width={1000} form="unasked">
      {(dismiss) =>
        toMap ? (
          <MapColumns
            file={toMap}
            check={(rows) => check(toMap.fileName, rows)}
            back={() => setToMap(null)}
          />
        ) : sending.isPending ? (
          <Progress label={text.checking} done={shown?.rows ?? 0} all={total} />
        ) : shown ? (
          <OneImport entry={shown} show={setShown} dismiss={dismiss} />
        ) : (
          <ChooseFile read={read} show={setShown} />
        )
      }
    </Dialog>
  );
}

/** Takes the focus, because the button that led here is gone. */
function Step({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.focus();
  }, []);
  return (
    <div ref={place} tabIndex={-1} className={styles.step}>
      {children}
    </div>
  );
}

const MEGABYTE = 1024 ** 2;

interface ChooseFileProps {
  read: (fileName: string, bytes: Uint8Array) => void;
  show: (entry: Import) => void;
}

function ChooseFile({ read, show }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  const earlier = useQuery(importsQuery);
  const { data: options } = useQuery(importOptionsQuery);
  const { count, shortMoment } = useFormats();
  const take = async (fileName: string, load: () => ArrayBuffer | Promise<ArrayBuffer>) => {
    setFault(null);
    try {
      read(fileName, new Uint8Array(await load()));
    } catch (error) {
      const faults = {
        ...text.faults,
        tooLarge: text.faults.tooLarge({ megabytes: IMPORTS.file / MEGABYTE }),
        tooMany: text.faults.tooMany({ most: count(IMPORTS.rows) }),
      };
      setFault(faults[error instanceof ImportFileError ? error.fault : 'unreadable']);
    }
  };
  return (
    <Step>
      <p>{text.intro}</p>
      <input
        ref={input}
        type="file"
        accept=".ics,.csv,.tsv,text/calendar,text/csv"
        aria-label={text.file}
        tabIndex={-1}
        className="visually-hidden"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = '';
          if (file)
            void take(file.name, () => {
              if (file.size > IMPORTS.file) throw new ImportFileError('tooLarge');
              return file.arrayBuffer();
            });
        }}
      />
      <div>
        <Button type="primary" onClick={() => input.current?.click()}>
          {text.choose}
        </Button>
      </div>
      {options?.urls && <UrlForm take={(fileName, bytes) => void take(fileName, () => bytes)} />}
      {fault && <Refusal>{fault}</Refusal>}
      <p className={styles.soft}>{text.hint}</p>
      <Loaded query={earlier}>
        {(all) => {
          const entries = all.filter(({ state }) => state !== 'preview');
          return (
            entries.length > 0 && (
              <section>
                <h3>{text.earlier}</h3>
                <ul className={styles.earlier}>
                  {entries.map((entry) => (
                    <li key={entry.id}>
                      <Button type="link" onClick={() => show(entry)}>
                        {entry.fileName}
                      </Button>
                      <span className={styles.soft}>
                        {shortMoment(entry.createdAt)} · {text.states[entry.state]}
                      </span>
                    </li>
                  ))}
                </ul>
              </section>
            )
          );
        }}
      </Loaded>
    </Step>
  );
}

function UrlForm({ take }: { take: (fileName: string, bytes: ArrayBuffer) => void }) {
  const loading = useLoadFile();
  const load = useAction(loading);
  const { form, bind, refuseAs, submit } = useForm({ url: '' });
  const start = submit(({ url }) =>
    load(url, {
      failed: text.failed,
      onSuccess: ({ fileName, bytes }) => take(fileName, bytes),
      onError: refuseAs,
    }),
  );
  return (
    <form ref={form} className={styles.url} onSubmit={start} noValidate>
      <Field type="url" label={text.url} hint={text.urlHint} maxLength={LIMITS.url} {...bind('url')} />
      <ActionButton htmlType="submit" loading={loading.isPending}>
        {text.load}
      </ActionButton>
    </form>
  );
}

interface MapColumnsProps {
  file: MappedFile;
  check: (rows: FileRow[]) => void;
  back: () => void;
}

const ORDERS = toOptions(text.orders);
const NONE = '';

function MapColumns({ file: { table }, check, back }: MapColumnsProps) {
  const { timeZone } = useCommunity();
  const [mapping, setMapping] = useState<Mapping>(table.mapping);
  const [order, setOrder] = useState<DateOrder>('dayFirst');
  const certain = orderOf(table, mapping);
  const example = (column: number | undefined) =>
    column === undefined
      ? undefined
      : table.rows
          .map((row) => row[column] ?? '')
          .find((cell) => cell.trim() !== '')
          ?.slice(0, 80);
  const choose = (field: CsvField) => (column: string) =>
    setMapping({ ...mapping, [field]: column === NONE ? undefined : Number(column) });
  const columns = [
    { value: NONE, label: text.noColumn },
    ...table.columns.map((label, index) => ({ value: String(index), label })),
  ];
  const isReady = mapping.title !== undefined && mapping.start !== undefined;
  return (
    <Step>
      <p>{text.mapIntro}</p>
      <div className={styles.columns}>
        {CSV_FIELDS.map((field) => (
          <SelectField
            key={field}
            label={text.columns[field]}
            hint={example(mapping[field])}
            options={columns}
            value={String(mapping[field] ?? NONE)}
            onChange={choose(field)}
          />
        ))}
      </div>
      {certain === null && (
        <div className={styles.order}>
          <p>{text.order}</p>
          <Choice label={text.order} options={ORDERS} value={order} change={setOrder} />
        </div>
      )}
      <DialogActions>
        <Button onClick={back}>{text.back}</Button>
        <ActionButton
          type="primary"
          inactive={!isReady}
          onClick={() => check(readRows(table, { mapping, order: certain ?? order, zone: timeZone }))}
        >
          {text.check}
        </ActionButton>
      </DialogActions>
    </Step>
  );
}

interface ProgressProps {
  label: string;
  done: number;
  all: number;
}

function Progress({ label, done, all }: ProgressProps) {
  const { count } = useFormats();
  return (
    <Step>
      <p role="status">{text.progress({ label, done: count(done), all: count(all) })}</p>
      <progress className={styles.bar} aria-label={label} value={done} max={all} />
    </Step>
  );
}

interface OneImportProps {
  entry: Import;
  show: (entry: Import | null) => void;
  dismiss: () => void;
}

function OneImport({ entry, show, dismiss }: OneImportProps) {
  const { count } = useFormats();
  const continuing = useImportSteps('continue', show);
  const undoing = useImportSteps('undo', show);
  const run = useAction(continuing);
  const undo = useAction(undoing);
  const { id, state, verdicts, outcomes } = entry;
  const done = outcomes.created + outcomes.updated;
  const finished = outcomes.undone + outcomes.kept;
  if (continuing.isPending)
    return <Progress label={text.importing} done={done} all={verdicts.new + verdicts.changed} />;
  if (undoing.isPending) return <Progress label={text.undoing} done={finished} all={done + finished} />;
  const isOpen = state === 'preview' || state === 'importing';
  const wanted = verdicts.new + verdicts.changed - done;
  return (
    <Step>
      <Summary>
        {state === 'preview'
          ? text.summary(counted(verdicts, count))
          : text.results[state](counted(outcomes, count))}
      </Summary>
      <ImportRows entry={entry} />
      <DialogActions>
        <Button onClick={state === 'preview' ? () => show(null) : dismiss}>
          {state === 'preview' ? text.otherFile : text.close}
        </Button>
        {state !== 'preview' && state !== 'undone' && (
          <ActionButton danger onClick={() => undo(id, { failed: text.failed, success: text.undone })}>
            {text.undo}
          </ActionButton>
        )}
        {isOpen && (
          <ActionButton
            type="primary"
            inactive={wanted === 0 && state === 'preview'}
            onClick={() => run(id, { failed: text.failed, success: text.done })}
          >
            {state === 'preview' ? text.start({ count: wanted }) : text.continue}
          </ActionButton>
        )}
      </DialogActions>
    </Step>
  );
}

const Summary = ({ children }: { children: ReactNode }) => (
  <p className={styles.summary} role="status">
    {children}
  </p>
);

const counted = <Key extends string>(figures: Record<Key, number>, count: (figure: number) => string) =>
  Object.fromEntries(Object.entries<number>(figures).map(([key, figure]) => [key, count(figure)])) as Record<
    Key,
    string
  >;
