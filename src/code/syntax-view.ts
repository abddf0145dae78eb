// Reads nodes against the text they were parsed from, without asking the tree for it.
import type { Node } from 'web-tree-sitter';
import type { NodeView } from './syntax-table.js';

export function viewOf(node: Node, text: string): NodeView {
  return {
    node,
    text,
    read: (target) => (target === null ? '' : text.slice(target.startIndex, target.endIndex)),
  };
}

/** The field's text, or undefined when the node has no such field. */
export function fieldText(view: NodeView, field: string): string | undefined {
  const child = view.node.childForFieldName(field);
  return child === null ? undefined : view.read(child);
}

/** Without its quotes. */
export function unquote(text: string): string {
  return text.replace(/^[rbufRBUF]*(['"`]{1,3})([\s\S]*)\1$/, '$2');
}
