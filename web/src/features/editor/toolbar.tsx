import { eventFormText as text } from '@meetmark/i18n/texts/event-form';
import { Button } from 'antd';
import { toggleMark } from 'prosemirror-commands';
import { redo, redoDepth, undo, undoDepth } from 'prosemirror-history';
import type { Command, EditorState } from 'prosemirror-state';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Field } from '../../ui/field';
import input from '../../ui/field.module.css';
import { icon } from '../../ui/icons';
import { isHeading, isMarked, linkAt, listAround, toggleHeading, toggleList } from './commands';
import { SAFE_ADDRESS, schema } from './markdown-document';
import styles from './editor.module.css';

const { nodes, marks } = schema;

const BoldIcon = icon(<path d="M7 4.5h6a3.6 3.6 0 0 1 0 7.2H7zM7 11.7h7a3.9 3.9 0 0 1 0 7.8H7z" />);
const ItalicIcon = icon(<path d="M10.5 4.5h7M6.5 19.5h7M14.5 4.5l-5 15" />);
const HeadingIcon = icon(<path d="M6 5v14M18 5v14M6 12h12" />);
const BulletsIcon = icon(<path d="M9.5 6H20M9.5 12H20M9.5 18H20M4.5 6h.01M4.5 12h.01M4.5 18h.01" />);
const NumbersIcon = icon(
  <path d="M10.5 6H20M10.5 12H20M10.5 18H20M4 4.5l1.5-.8V9M4 14.5c.5-1 2.5-.8 2.3.5-.1.8-2.3 2.5-2.3 3.5h2.6" />,
);
const LinkIcon = icon(
  <path d="M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1" />,
);
const UndoIcon = icon(<path d="M8.5 5.5L4.5 9.5l4 4M4.5 9.5h10a5 5 0 0 1 0 10H11" />);
const RedoIcon = icon(<path d="M15.5 5.5l4 4-4 4M19.5 9.5h-10a5 5 0 0 0 0 10H13" />);

interface ToolbarProps {
  controls: string;
  state: EditorState;
  run: (command: Command) => void;
  link: () => void;
  isLinking: boolean;
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

export function Toolbar({ controls, state, run, link, isLinking }: ToolbarProps) {
  const [at, setAt] = useState(0);
  const list = listAround(state)?.node.type;
  const words = text.editor;
  const tools: {
    name: string;
    keys?: string;
    sign: ReactNode;
    act: () => void;
    on?: boolean;
    off?: boolean;
  }[] = [
    {
      name: words.bold,
      keys: 'b',
      sign: <BoldIcon />,
      act: () => run(toggleMark(marks.strong)),
      on: isMarked(state, marks.strong),
    },
    {
      name: words.italic,
      keys: 'i',
      sign: <ItalicIcon />,
      act: () => run(toggleMark(marks.em)),
      on: isMarked(state, marks.em),
    },
    { name: words.heading, sign: <HeadingIcon />, act: () => run(toggleHeading), on: isHeading(state) },
    {
      name: words.bullets,
      keys: 'Shift+8',
      sign: <BulletsIcon />,
      act: () => run(toggleList(nodes.bullet_list)),
      on: list === nodes.bullet_list,
    },
    {
      name: words.numbers,
      keys: 'Shift+7',
      sign: <NumbersIcon />,
      act: () => run(toggleList(nodes.ordered_list)),
      on: list === nodes.ordered_list,
    },
    { name: words.link, keys: 'k', sign: <LinkIcon />, act: link, on: isLinking || linkAt(state) !== '' },
    { name: words.undo, keys: 'z', sign: <UndoIcon />, act: () => run(undo), off: undoDepth(state) === 0 },
    {
      name: words.redo,
      keys: 'Shift+z',
      sign: <RedoIcon />,
      act: () => run(redo),
      off: redoDepth(state) === 0,
    },
  ];
  const step = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = { ...STEPS, Home: -at, End: tools.length - 1 - at }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const mirrored = getComputedStyle(event.currentTarget).direction === 'rtl' && event.key in STEPS;
    const next = (at + (mirrored ? -by : by) + tools.length) % tools.length;
    setAt(next);
    event.currentTarget.querySelectorAll('button')[next]!.focus();
  };
  return (
    <div
      role="toolbar"
      aria-label={words.toolbar}
      aria-controls={controls}
      className={styles.toolbar}
      onKeyDown={step}
      // keeps focus and selection in the text
      onMouseDown={(event) => event.preventDefault()}
    >
      {tools.map(({ name, keys, sign, act, on, off }, place) => (
        <button
          key={name}
          type="button"
          className={`${input.bare} ${styles.tool}`}
          tabIndex={place === at ? 0 : -1}
          aria-label={name}
          aria-pressed={on}
          aria-disabled={off || undefined}
          aria-keyshortcuts={keys && `${MODIFIER}+${keys}`}
          onFocus={() => setAt(place)}
          onClick={off ? undefined : act}
        >
          {sign}
        </button>
      ))}
    </div>
  );
}

const MODIFIER = /Mac|iP(hone|ad)/.test(navigator.platform) ? 'Meta' : 'Control';

function parseLink(typed: string): string | null {
  const trimmed = typed.trim();
  const address = SAFE_ADDRESS.test(trimmed)
    ? trimmed
    : /^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(trimmed)
      ? `mailto:${trimmed}`
      : `https://${trimmed}`;
  if (/\s/.test(address) || !URL.canParse(address)) return null;
  return address.startsWith('mailto:') || /^https?:\/\/[^/]+\.[^/]+/i.test(address) ? address : null;
}

interface LinkFieldsProps {
  address: string;
  set: (address: string | null) => void;
  close: () => void;
}

export function LinkFields({ address, set, close }: LinkFieldsProps) {
  const [typed, setTyped] = useState(address);
  const [isWrong, setIsWrong] = useState(false);
  const apply = () => {
    const href = parseLink(typed);
    setIsWrong(href === null);
    if (href === null) return;
    set(href);
    close();
  };
  return (
    <div
      className={styles.link}
      role="group"
      aria-label={text.editor.link}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        if (event.key === 'Enter' && !(event.target instanceof HTMLInputElement)) return;
        // Enter must not submit the surrounding form, and Escape must not close its drawer
        event.preventDefault();
        event.stopPropagation();
        if (event.key === 'Enter') apply();
        else close();
      }}
    >
      <Field
        label={text.editor.address}
        autoFocus
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        value={typed}
        error={isWrong ? text.urlInvalid : undefined}
        onChange={setTyped}
      />
      <div className={styles.linkButtons}>
        <Button type="primary" onClick={apply}>
          {text.editor.setLink}
        </Button>
        {address && (
          <Button
            onClick={() => {
              set(null);
              close();
            }}
          >
            {text.editor.removeLink}
          </Button>
        )}
        <Button type="text" onClick={close}>
          {text.cancel}
        </Button>
      </div>
    </div>
  );
}
