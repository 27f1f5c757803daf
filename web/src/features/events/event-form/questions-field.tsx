import type { QuestionKind } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { eventFormText } from '@meetmark/i18n/texts/event-form';
import { questionsText } from '@meetmark/i18n/texts/questions';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox } from 'antd';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { toOptions } from '../../../ui/choice';
import { Field, TextArea } from '../../../ui/field';
import { SelectField } from '../../../ui/select-field';
import { eventAnswersQuery } from '../shared/event-answers.api';
import { areOptionsValid, type EventFormFields } from './event-fields';
import { FieldError } from './event-form-fields';
import styles from './event-form.module.css';

const text = questionsText.editor;
const KINDS = toOptions<QuestionKind>(text.kinds);
const EMPTY = { kind: 'text', label: '', required: false, options: '' } as const;

type Row = EventFormFields['questions'][number];

interface QuestionsFieldProps {
  eventId?: string;
  questions: Row[];
  error?: string;
  change: (questions: Row[]) => void;
}

export function QuestionsField({ eventId = '', questions, error, change }: QuestionsFieldProps) {
  const rows = useRef<HTMLDivElement>(null);
  const known = questions.some(({ id }) => id !== undefined);
  const { data: answers = [] } = useQuery({
    ...eventAnswersQuery(eventId),
    enabled: eventId !== '' && known,
  });
  const set = (at: number, changed: Partial<Row>) =>
    change(questions.map((row, index) => (index === at ? { ...row, ...changed } : row)));
  const focusRow = (at: number, control = 'input') =>
    rows.current?.children[at]?.querySelector<HTMLElement>(control)?.focus();
  const move = (at: number, by: 1 | -1) => {
    flushSync(() => change(questions.with(at, questions[at + by]!).with(at + by, questions[at]!)));
    focusRow(at + by, `[data-by="${by}"]:not(:disabled), [data-by]:not(:disabled)`);
  };
  const remove = (at: number) => {
    flushSync(() => change(questions.filter((_, index) => index !== at)));
    focusRow(Math.min(at, questions.length - 2));
  };
  const add = () => {
    flushSync(() => change([...questions, { ...EMPTY }]));
    focusRow(questions.length);
  };
  return (
    <div className={styles.rows}>
      <p className={styles.soft}>{text.hint}</p>
      <div ref={rows} className={styles.questions}>
        {questions.map((row, at) => (
          <QuestionRow
            key={at}
            row={row}
            at={at}
            isLast={at === questions.length - 1}
            answered={answers.find(({ questionId }) => questionId === row.id)?.answered ?? 0}
            refused={Boolean(error)}
            set={(changed) => set(at, changed)}
            move={(by) => move(at, by)}
            remove={() => remove(at)}
          />
        ))}
      </div>
      <FieldError>{error}</FieldError>
      {questions.length < LIMITS.questions && <Button onClick={add}>{text.add}</Button>}
    </div>
  );
}

interface QuestionRowProps {
  row: Row;
  at: number;
  isLast: boolean;
  answered: number;
  refused: boolean;
  set: (changed: Partial<Row>) => void;
  move: (by: 1 | -1) => void;
  remove: () => void;
}

function QuestionRow({ row, at, isLast, answered, refused, set, move, remove }: QuestionRowProps) {
  return (
    <div className={styles.rowFields} role="group" aria-label={text.row({ at: at + 1 })}>
      <Field
        label={text.label}
        placeholder={text.labelPlaceholder}
        maxLength={LIMITS.questionLabel}
        value={row.label}
        error={refused && !row.label.trim() ? text.labelRequired : undefined}
        onChange={(label) => set({ label })}
      />
      <SelectField
        label={text.kind}
        options={KINDS}
        value={row.kind}
        disabled={answered > 0}
        onChange={(kind) => set({ kind: kind as QuestionKind })}
      />
      {row.kind === 'choice' && (
        <TextArea
          label={text.options}
          maxLength={(LIMITS.optionLabel + 1) * LIMITS.options}
          rows={4}
          value={row.options}
          error={refused && !areOptionsValid(row.options) ? text.optionsInvalid : undefined}
          onChange={(options) => set({ options })}
        />
      )}
      <Checkbox checked={row.required} onChange={({ target }) => set({ required: target.checked })}>
        {text.required}
      </Checkbox>
      {answered > 0 && (
        <p className={styles.locked}>
          {text.locked({ answered })} {row.kind === 'choice' && text.lockedChoice}
        </p>
      )}
      <div className={styles.rowButtons}>
        <Button
          data-by={-1}
          aria-label={text.up({ at: at + 1 })}
          disabled={at === 0}
          onClick={() => move(-1)}
        >
          ↑
        </Button>
        <Button data-by={1} aria-label={text.down({ at: at + 1 })} disabled={isLast} onClick={() => move(1)}>
          ↓
        </Button>
        {answered === 0 && (
          <Button type="text" aria-label={text.remove({ at: at + 1 })} onClick={() => remove()}>
            {eventFormText.removeRow}
          </Button>
        )}
      </div>
    </div>
  );
}
