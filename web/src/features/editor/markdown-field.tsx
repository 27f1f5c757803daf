import { LIMITS } from '@meetmark/contracts/limits';
import { markdownFault } from '@meetmark/contracts/markdown';
import { eventFormText as text } from '@meetmark/i18n/texts/event-form';
import { type CSSProperties, type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { Choice, toOptions } from '../../ui/choice';
import { TextArea } from '../../ui/field';
import { lazyComponent, lazyPart } from '../../ui/lazy';
import { useFormats } from '../../ui/use-formats';
import type { Unshown } from './markdown-document';
import styles from './editor.module.css';
import type { RichTextProps } from './rich-text';

const Markdown = lazyComponent<{ text: string; heading: 'h3' | 'h4' }>(
  () => import('../events/shared/markdown'),
  {
    Failed: ({ text: typed }) => <p>{typed}</p>,
    waiting: null,
  },
);

const RichText = lazyPart<RichTextProps>(() => import('./rich-text'));

type Way = keyof typeof text.markdownWays;
const WAYS = toOptions<Way>(text.markdownWays);

interface MarkdownFieldProps {
  label: string;
  heading?: 'h3' | 'h4';
  hint?: ReactNode;
  disabled?: boolean;
  maxLength?: number;
  rows?: number;
  placeholder?: string;
  value: string | undefined;
  error?: string;
  onChange: (value: string) => void;
}

/** Shows a plain Markdown field until the editor is loaded. Keeps the plain field if loading fails. */
export function MarkdownField({
  label,
  heading = 'h4',
  hint,
  maxLength = LIMITS.description,
  rows = 7,
  value = '',
  error,
  ...field
}: MarkdownFieldProps) {
  const [way, setWay] = useState<Way>('write');
  const [lost, setLost] = useState<Unshown>();
  const { isReady, place } = useEditor();
  const { count } = useFormats();
  const isRich = way === 'write' && isReady;
  const isTooLong = isRich && value.length > maxLength;
  const fault =
    (markdownFault(value) === null ? undefined : text.markdownRefused) ??
    (isTooLong ? text.editor.tooLong({ count: count(value.length), max: count(maxLength) }) : undefined);
  return (
    <div ref={place} className={styles.field} style={{ '--rows': rows } as CSSProperties}>
      <TextArea
        {...field}
        label={label}
        value={value}
        maxLength={maxLength}
        rows={rows}
        error={error ?? fault}
        hint={
          isRich ? (
            hint
          ) : (
            <>
              {lost && <p>{text.editor.why[lost]}</p>}
              {hint ?? text.markdownHint}
            </>
          )
        }
        side={
          <Choice
            label={text.markdownWay}
            options={WAYS}
            value={way}
            change={(chosen) => {
              setLost(undefined);
              setWay(chosen);
            }}
          />
        }
        instead={
          way === 'preview' ? (
            <section className={styles.rendered} aria-label={text.previewOf({ label })}>
              {value.trim() ? <Markdown text={value} heading={heading} /> : <p>{text.previewEmpty}</p>}
            </section>
          ) : (
            isRich &&
            ((ties) => (
              <RichText
                {...field}
                label={label}
                heading={heading}
                ties={ties}
                value={value}
                refuse={(kind) => {
                  setLost(kind);
                  setWay('markdown');
                }}
              />
            ))
          )
        }
      />
    </div>
  );
}

function useEditor() {
  const place = useRef<HTMLDivElement>(null);
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    // a browser without contentEditable keeps the plain field
    if (!('isContentEditable' in HTMLElement.prototype)) return;
    const whole = place.current!;
    const leaving = new AbortController();
    const { signal } = leaving;
    const isTypedIn = (target: EventTarget | null) =>
      target instanceof HTMLTextAreaElement && whole.contains(target);
    const show = () => startTransition(() => setIsReady(true));
    void RichText.arrived().then(
      () => {
        if (signal.aborted) return;
        if (!isTypedIn(document.activeElement)) show();
        whole.addEventListener('focusout', ({ target }) => isTypedIn(target) && show(), { signal });
        // cancels the switch if the user returns to the plain field while the editor is still rendering
        whole.addEventListener('focusin', ({ target }) => isTypedIn(target) && setIsReady(false), { signal });
      },
      // the editor couldn't be loaded; plain Markdown still works
      () => undefined,
    );
    return () => leaving.abort();
  }, []);
  return { isReady, place };
}
