import { setBlockType } from 'prosemirror-commands';
import type { MarkType, NodeType } from 'prosemirror-model';
import { liftListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, type EditorState, TextSelection } from 'prosemirror-state';
import { HEADING, schema } from './markdown-document';

const { nodes, marks } = schema;

/**
 * Selects all text. ProseMirror's own `selectAll` isn't used, because typing over its selection may lose
 * text.
 */
export const selectText: Command = ({ doc, tr }, dispatch) => {
  dispatch?.(tr.setSelection(TextSelection.between(doc.resolve(0), doc.resolve(doc.content.size))));
  return true;
};

export const lineBreak: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.inlineContent || state.selection.$from.parent.type !== nodes.paragraph)
    return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView());
  return true;
};

export const isMarked = ({ selection, storedMarks, doc }: EditorState, type: MarkType) =>
  selection.empty
    ? type.isInSet(storedMarks ?? selection.$from.marks()) !== undefined
    : doc.rangeHasMark(selection.from, selection.to, type);

export function listAround({ selection: { $from } }: EditorState) {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const node = $from.node(depth);
    if (node.type === nodes.bullet_list || node.type === nodes.ordered_list)
      return { node, position: $from.before(depth) };
  }
  return undefined;
}

export const toggleList =
  (type: NodeType): Command =>
  (state, dispatch) => {
    const list = listAround(state);
    if (!list) return wrapInList(type)(state, dispatch);
    if (list.node.type === type) return liftListItem(nodes.list_item)(state, dispatch);
    dispatch?.(state.tr.setNodeMarkup(list.position, type, { tight: list.node.attrs.tight as boolean }));
    return true;
  };

export const isHeading = ({ selection }: EditorState) => selection.$from.parent.type === nodes.heading;

export const toggleHeading: Command = (state, dispatch) =>
  setBlockType(
    isHeading(state) ? nodes.paragraph : nodes.heading,
    isHeading(state) ? null : { level: HEADING },
  )(state, dispatch);

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

export const linkAt = (state: EditorState) => (linkRange(state).link?.attrs.href as string | undefined) ?? '';

export const setLink =
  (href: string | null): Command =>
  (state, dispatch) => {
    const { from, to } = linkRange(state);
    const { tr } = state;
    if (href === null) tr.removeMark(from, to, marks.link);
    else if (from === to)
      tr.replaceWith(from, to, schema.text(href.replace(/^mailto:/, ''), [marks.link.create({ href })]));
    else tr.removeMark(from, to, marks.link).addMark(from, to, marks.link.create({ href }));
    tr.setSelection(TextSelection.near(tr.doc.resolve(tr.mapping.map(to)), -1));
    dispatch?.(tr.removeStoredMark(marks.link).scrollIntoView());
    return true;
  };
