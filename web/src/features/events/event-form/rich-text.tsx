import { eventFormText as text } from '@meetmark/contracts/texts/event-form';
import { Button } from 'antd';
import { baseKeymap, chainCommands, exitCode, setBlockType, toggleMark } from 'prosemirror-commands';
import { closeHistory, history, redo, redoDepth, undo, undoDepth } from 'prosemirror-history';
import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  undoInputRule,
  wrappingInputRule,
} from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import { type MarkType, type Node, type NodeType, Slice } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, EditorState, TextSelection } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Field, type Ties } from '../../../ui/field';
import input from '../../../ui/field.module.css';
import { icon } from '../../../ui/icons';
import looks from '../shared/event-details.module.css';
import {
  documentOf,
  HEADING,
  type MarkdownDocument,
  SAFE_ADDRESS,
  schema,
  storedAs,
  type Unshown,
} from './markdown-document';
import { cleanPasted } from './pasted';
import styles from './rich-text.module.css';

const { nodes, marks } = schema;

export interface RichTextProps {
  label: string;
  /** That of the headings within the text, while it is edited. */
  heading: 'h3' | 'h4';
  /** Attributes that tie the text to its label and note. */
  ties: Ties;
  placeholder?: string;
  disabled?: boolean;
  /** Markdown. */
  value: string;
  onChange: (value: string) => void;
  /** The editor calls it instead of showing a text that it would lose something of. */
  refuse: (kind: Unshown) => void;
}

/** A text with its looks, of which Markdown is stored. What is not edited stays as it was written. */
export default function RichText({ value, refuse, ...props }: RichTextProps) {
  const [opened] = useState(() => documentOf(value));
  const refused = useEffectEvent(refuse);
  useLayoutEffect(() => {
    if (typeof opened === 'string') refused(opened);
  }, [opened]);
  if (typeof opened === 'string') return null;
  return <Editor opened={opened} value={value} refuse={refuse} {...props} />;
}

type EditorProps = RichTextProps & { opened: MarkdownDocument };

function Editor({ opened, label, ties, placeholder, disabled = false, ...form }: EditorProps) {
  const [linking, setLinking] = useState(false);
  const { place, view, state } = useEditorView({ opened, ...form }, () => setLinking(true));
  const isEmpty = state.doc.content.size === 2 && state.doc.firstChild!.type === nodes.paragraph;
  const { id, 'aria-invalid': invalid, 'aria-describedby': describedBy } = ties;
  useLayoutEffect(() => {
    view.current?.setProps({
      editable: () => !disabled,
      attributes: {
        id,
        class: `${looks.markdown} ${input.input} ${styles.text}`,
        role: 'textbox',
        dir: 'auto',
        'aria-multiline': 'true',
        'aria-label': label,
        ...(invalid && { 'aria-invalid': 'true' }),
        ...(describedBy && { 'aria-describedby': describedBy }),
        ...(disabled && { 'aria-disabled': 'true' }),
        ...(placeholder && isEmpty && { 'aria-placeholder': placeholder, 'data-placeholder': placeholder }),
      },
    });
  });
  const run = (command: Command) => {
    const editor = view.current!;
    command(editor.state, editor.dispatch);
    editor.focus();
  };
  return (
    <div className={styles.editor}>
      {!disabled && (
        <Toolbar controls={id} state={state} run={run} link={() => setLinking(true)} isLinking={linking} />
      )}
      {linking && (
        <LinkFields
          address={linkAt(state)}
          set={(address) => run(setLink(address))}
          close={() => {
            setLinking(false);
            view.current?.focus();
          }}
        />
      )}
      <div ref={place} className={styles.place} />
    </div>
  );
}

type FormSide = Pick<EditorProps, 'opened' | 'value' | 'onChange' | 'refuse' | 'heading'>;

/** The editor in the page: it has the document, the form has its Markdown. */
function useEditorView(
  { opened: first, value, onChange, refuse, heading }: FormSide,
  askForLink: () => void,
) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const [state, setState] = useState(() => stateOf(first));
  const opened = useRef(first);
  const known = useRef(value);
  /** What the form got and has not given back yet: it may be some keys behind. */
  const underway = useRef<string[]>([]);

  const edited = useEffectEvent((next: EditorState) => {
    const markdown = storedAs(next.doc, opened.current);
    if (markdown === known.current) return;
    known.current = markdown;
    underway.current.push(markdown);
    onChange(markdown);
  });
  const asked = useEffectEvent(askForLink);
  const begun = useEffectEvent(() => ({ state, nodeViews: { heading: headingAs(heading) } }));

  useLayoutEffect(() => {
    let isAfterPaste = false;
    const editor = new EditorView(place.current, {
      ...begun(),
      transformPastedHTML: cleanPasted,
      clipboardTextParser: (words, _, plain) => (plain ? null : sliceOf(words)) as Slice,
      handlePaste: (_, event) => pastedAddress(editor, event),
      handleTextInput: (_, from, to, typed) => typedMarkdown(editor, from, to, typed),
      handleKeyDown(_, event) {
        const { key, metaKey, ctrlKey, altKey, shiftKey } = event;
        if (key !== 'k' || !(metaKey || ctrlKey) || altKey || shiftKey) return false;
        event.preventDefault();
        asked();
        return true;
      },
      dispatchTransaction(transaction) {
        if (transaction.docChanged) {
          // what was pasted is taken back by itself
          const isPaste = transaction.getMeta('paste') === true;
          if (isPaste || isAfterPaste) closeHistory(transaction);
          isAfterPaste = isPaste;
        }
        const next = editor.state.apply(transaction);
        editor.updateState(next);
        setState(next);
        if (transaction.docChanged && !transaction.getMeta(NOT_TYPED)) edited(next);
      },
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  // what the form was given by something else than this editor, such as a draft
  const replaced = useEffectEvent(() => {
    const at = underway.current.indexOf(value);
    if (at !== -1) return void underway.current.splice(0, at + 1);
    if (value === known.current) return;
    known.current = value;
    underway.current = [];
    const other = documentOf(value);
    if (typeof other === 'string') return refuse(other);
    opened.current = other;
    const { tr } = view.current!.state;
    view.current!.dispatch(
      tr.replaceWith(0, tr.doc.content.size, other.doc.content).setMeta(NOT_TYPED, true),
    );
  });
  useEffect(() => {
    replaced();
  }, [value]);
  return { place, view, state };
}

/** A heading, whatever its level on the page, one below that of the form around it. */
const headingAs = (name: 'h3' | 'h4') => (node: Node) => {
  const dom = document.createElement(name);
  dom.dataset.level = String(node.attrs.level);
  return { dom, contentDOM: dom };
};

/** Marks what the form changed by itself. */
const NOT_TYPED = 'not-typed';

const stateOf = ({ doc }: MarkdownDocument) =>
  EditorState.create({
    doc,
    plugins: [
      inputRules({
        rules: [
          wrappingInputRule(/^\s*[-*]\s$/, nodes.bullet_list),
          wrappingInputRule(/^\s*(\d{1,9})[.)]\s$/, nodes.ordered_list, ([, order]) => ({
            order: Number(order),
          })),
          wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
          textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading, ([, signs]) => ({ level: signs!.length })),
          markRule(/(^|[\s(])\*\*([^\s*](?:[^*]*[^\s*])?)\*\*$/, marks.strong),
          markRule(/(^|[\s(])\*([^\s*](?:[^*]*[^\s*])?)\*$/, marks.em),
        ],
      }),
      keymap({
        'Mod-a': selectText,
        'Mod-b': toggleMark(marks.strong),
        'Mod-i': toggleMark(marks.em),
        'Mod-z': undo,
        'Mod-y': redo,
        'Shift-Mod-z': redo,
        'Shift-Mod-7': toggleList(nodes.ordered_list),
        'Shift-Mod-8': toggleList(nodes.bullet_list),
        'Mod-]': sinkListItem(nodes.list_item),
        'Mod-[': liftListItem(nodes.list_item),
        Backspace: undoInputRule,
        Enter: splitListItem(nodes.list_item),
        'Shift-Enter': chainCommands(exitCode, lineBreak),
      }),
      keymap(baseKeymap),
      history(),
    ],
  });

/** The signs of Markdown, typed, become what they mean. */
const markRule = (pattern: RegExp, type: MarkType) =>
  new InputRule(pattern, (state, [, before, words], start, end) =>
    state.tr
      .replaceWith(start + before!.length, end, schema.text(words!, [type.create()]))
      .removeStoredMark(type),
  );

/** From the first letter to the last: of the whole document, which ProseMirror would select, what is typed next may be lost. */
const selectText: Command = ({ doc, tr }, dispatch) => {
  dispatch?.(tr.setSelection(TextSelection.between(doc.resolve(0), doc.resolve(doc.content.size))));
  return true;
};

const lineBreak: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.inlineContent || state.selection.$from.parent.type !== nodes.paragraph)
    return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView());
  return true;
};

/** Plain text is read as Markdown, as the field takes it; what the editor cannot show of it stays as it is. */
function sliceOf(pasted: string): Slice | null {
  const found = documentOf(pasted.trim());
  if (typeof found === 'string') return null;
  const { content, firstChild, lastChild } = found.doc;
  const depth = (node: typeof firstChild) => (node?.type === nodes.paragraph ? 1 : 0);
  return new Slice(content, depth(firstChild), depth(lastChild));
}

/** An address that is pasted onto words makes a link of them. */
function pastedAddress(view: EditorView, event: ClipboardEvent): boolean {
  const address = event.clipboardData?.getData('text/plain').trim() ?? '';
  if (view.state.selection.empty || !/^https?:\/\/\S+$/i.test(address)) return false;
  return toggleMark(marks.link, { href: address }, { removeWhenPresent: false })(view.state, view.dispatch);
}

/** Text that comes at once, as from a dictation or a snippet, may have signs of Markdown. */
function typedMarkdown(view: EditorView, from: number, to: number, typed: string): boolean {
  if (typed.length < 3 || !/[*_~`\]]/.test(typed)) return false;
  if (view.state.doc.resolve(from).parent.type.spec.code) return false;
  const found = documentOf(typed);
  if (typeof found === 'string' || found.doc.childCount !== 1) return false;
  const [block] = found.doc.children;
  if (block!.type !== nodes.paragraph || block!.children.every((node) => node.marks.length === 0))
    return false;
  view.dispatch(view.state.tr.replaceWith(from, to, block!.content).scrollIntoView());
  return true;
}

const isMarked = ({ selection, storedMarks, doc }: EditorState, type: MarkType) =>
  selection.empty
    ? type.isInSet(storedMarks ?? selection.$from.marks()) !== undefined
    : doc.rangeHasMark(selection.from, selection.to, type);

/** The nearest list around the selection. */
function listAround({ selection: { $from } }: EditorState) {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const node = $from.node(depth);
    if (node.type === nodes.bullet_list || node.type === nodes.ordered_list)
      return { node, position: $from.before(depth) };
  }
  return undefined;
}

/** Makes a list, takes it away, or makes the other kind of it. */
const toggleList =
  (type: NodeType): Command =>
  (state, dispatch) => {
    const list = listAround(state);
    if (!list) return wrapInList(type)(state, dispatch);
    if (list.node.type === type) return liftListItem(nodes.list_item)(state, dispatch);
    dispatch?.(state.tr.setNodeMarkup(list.position, type, { tight: list.node.attrs.tight as boolean }));
    return true;
  };

const isHeading = ({ selection }: EditorState) => selection.$from.parent.type === nodes.heading;

const toggleHeading: Command = (state, dispatch) =>
  setBlockType(
    isHeading(state) ? nodes.paragraph : nodes.heading,
    isHeading(state) ? null : { level: HEADING },
  )(state, dispatch);

/** Where the link around the selection begins and ends. */
function linkRange({ selection: { $from, from, to, empty } }: EditorState) {
  const link =
    marks.link.isInSet($from.marks()) ?? ($from.nodeAfter && marks.link.isInSet($from.nodeAfter.marks));
  if (!empty || !link) return { from, to, link: link ?? undefined };
  let [start, end] = [$from.start(), $from.start()];
  for (const node of $from.parent.children) {
    end += node.nodeSize;
    if (!link.isInSet(node.marks)) {
      if (end > from) return { from: start, to: end - node.nodeSize, link };
      start = end;
    }
  }
  return { from: start, to: end, link };
}

const linkAt = (state: EditorState) => (linkRange(state).link?.attrs.href as string | undefined) ?? '';

/** Links what is selected, or the address itself where nothing is; null takes the link away. */
const setLink =
  (href: string | null): Command =>
  (state, dispatch) => {
    const { from, to } = linkRange(state);
    const { tr } = state;
    if (href === null) tr.removeMark(from, to, marks.link);
    else if (from === to)
      tr.replaceWith(from, to, schema.text(href.replace(/^mailto:/, ''), [marks.link.create({ href })]));
    else tr.removeMark(from, to, marks.link).addMark(from, to, marks.link.create({ href }));
    // one goes on behind the link
    tr.setSelection(TextSelection.near(tr.doc.resolve(tr.mapping.map(to)), -1));
    dispatch?.(tr.removeStoredMark(marks.link).scrollIntoView());
    return true;
  };

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
  /** The id of the text. */
  controls: string;
  state: EditorState;
  run: (command: Command) => void;
  link: () => void;
  isLinking: boolean;
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

/** One stop of the Tab key; the arrow keys go from button to button. */
function Toolbar({ controls, state, run, link, isLinking }: ToolbarProps) {
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
      // the text keeps its focus and selection
      onMouseDown={(event) => event.preventDefault()}
    >
      {tools.map(({ name, keys, sign, act, on, off }, place) => (
        <button
          key={name}
          type="button"
          className={styles.tool}
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

/** An address as a person types it; null where it is none. */
function addressOf(typed: string): string | null {
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

/** Asks for the address of a link, above the text. */
function LinkFields({ address, set, close }: LinkFieldsProps) {
  const [typed, setTyped] = useState(address);
  const [isWrong, setIsWrong] = useState(false);
  const apply = () => {
    const href = addressOf(typed);
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
        // neither the form around is sent nor its drawer closed
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
