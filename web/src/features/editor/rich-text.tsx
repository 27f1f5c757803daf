import { baseKeymap, chainCommands, exitCode, toggleMark } from 'prosemirror-commands';
import { closeHistory, history, redo, undo } from 'prosemirror-history';
import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  undoInputRule,
  wrappingInputRule,
} from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import { type MarkType, type Node, Slice } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import { type Command, EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Ties } from '../../ui/field';
import input from '../../ui/field.module.css';
import looks from '../events/shared/event-details.module.css';
import { lineBreak, linkAt, selectText, setLink, toggleList } from './commands';
import { parseDocument, type MarkdownDocument, schema, storedAs, type Unshown } from './markdown-document';
import { cleanPasted } from './pasted';
import styles from './editor.module.css';
import { LinkFields, Toolbar } from './toolbar';

const { nodes, marks } = schema;

export interface RichTextProps {
  label: string;
  heading: 'h3' | 'h4';
  ties: Ties;
  placeholder?: string;
  disabled?: boolean;
  value: string;
  onChange: (value: string) => void;
  refuse: (kind: Unshown) => void;
}

export default function RichText({ value, refuse, ...props }: RichTextProps) {
  const [opened] = useState(() => parseDocument(value));
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

function useEditorView(
  { opened: first, value, onChange, refuse, heading }: FormSide,
  askForLink: () => void,
) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const [state, setState] = useState(() => createState(first));
  const opened = useRef(first);
  const known = useRef(value);
  /** Values sent by `onChange` that haven't come back as `value` yet, because the form may lag behind. */
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
    const editor: EditorView = new EditorView(place.current, {
      ...begun(),
      transformPastedHTML: cleanPasted,
      clipboardTextParser: (words, _, plain) => (plain ? null : parseSlice(words)) as Slice,
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
          // a paste has its own undo step
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

  // shows a value that came from outside, for example from a draft
  const replaced = useEffectEvent(() => {
    const at = underway.current.indexOf(value);
    if (at !== -1) return void underway.current.splice(0, at + 1);
    if (value === known.current) return;
    known.current = value;
    underway.current = [];
    const other = parseDocument(value);
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

const headingAs = (name: 'h3' | 'h4') => (node: Node) => {
  const dom = document.createElement(name);
  dom.dataset.level = String(node.attrs.level);
  return { dom, contentDOM: dom };
};

const NOT_TYPED = 'not-typed';

const createState = ({ doc }: MarkdownDocument) =>
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

const markRule = (pattern: RegExp, type: MarkType) =>
  new InputRule(pattern, (state, [, before, words], start, end) =>
    state.tr
      .replaceWith(start + before!.length, end, schema.text(words!, [type.create()]))
      .removeStoredMark(type),
  );

function parseSlice(pasted: string): Slice | null {
  const found = parseDocument(pasted.trim());
  if (typeof found === 'string') return null;
  const { content, firstChild, lastChild } = found.doc;
  const depth = (node: typeof firstChild) => (node?.type === nodes.paragraph ? 1 : 0);
  return new Slice(content, depth(firstChild), depth(lastChild));
}

function pastedAddress(view: EditorView, event: ClipboardEvent): boolean {
  const address = event.clipboardData?.getData('text/plain').trim() ?? '';
  if (view.state.selection.empty || !/^https?:\/\/\S+$/i.test(address)) return false;
  return toggleMark(marks.link, { href: address }, { removeWhenPresent: false })(view.state, view.dispatch);
}

/** Converts Markdown in text that is inserted in one step, for example by dictation. */
function typedMarkdown(view: EditorView, from: number, to: number, typed: string): boolean {
  if (typed.length < 3 || !/[*_~`\]]/.test(typed)) return false;
  if (view.state.doc.resolve(from).parent.type.spec.code) return false;
  const found = parseDocument(typed);
  if (typeof found === 'string' || found.doc.childCount !== 1) return false;
  const [block] = found.doc.children;
  if (block!.type !== nodes.paragraph || block!.children.every((node) => node.marks.length === 0))
    return false;
  view.dispatch(view.state.tr.replaceWith(from, to, block!.content).scrollIntoView());
  return true;
}
