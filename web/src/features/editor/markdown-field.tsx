import { LIMITS } from '@meetmark/contracts/limits';
import { markdownFault } from '@meetmark/contracts/markdown';
import { eventFormText as text } from '@meetmark/contracts/texts/event-form';
import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { Choice, optionsOf } from '../../ui/choice';
import { TextArea } from '../../ui/field';
import { AgainButton, lazyComponent } from '../../ui/lazy';
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

const RichText = lazyComponent<RichTextProps>(() => import('./rich-text'), {
  Failed: AgainButton,
  waiting: null,
});

type Way = keyof typeof text.markdownWays;
const WAYS = optionsOf<Way>(text.markdownWays);

interface MarkdownFieldProps {
  label: string;
  /** That of the headings within the text: below the one that the field stands under. */
  heading?: 'h3' | 'h4';
  /** Stands in the place of what is said of Markdown. */
  hint?: ReactNode;
  disabled?: boolean;
  maxLength?: number;
  placeholder?: string;
  value: string | undefined;
  error?: string;
  onChange: (value: string) => void;
}

/**
 * A text of several paragraphs: written with its looks, or as the Markdown that is stored, and how it will look. Until the editor has
 * arrived, and where it does not, Markdown is written.
 */
export function MarkdownField({
  label,
  heading = 'h4',
  hint,
  maxLength = LIMITS.description,
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
    <div ref={place} className={styles.field}>
      <TextArea
        {...field}
        label={label}
        value={value}
        maxLength={maxLength}
        rows={7}
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

/** Whether the editor is there. It never takes the place of a field in which somebody is typing. */
function useEditor() {
  const place = useRef<HTMLDivElement>(null);
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    // where only plain text can be edited, it stays so
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
        // overtakes the transition while that is still being drawn
        whole.addEventListener('focusin', ({ target }) => isTypedIn(target) && setIsReady(false), { signal });
      },
      // it did not arrive: Markdown can be written all the same
      () => undefined,
    );
    return () => leaving.abort();
  }, []);
  return { isReady, place };
}
