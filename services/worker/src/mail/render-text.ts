import type { Block, MailContent } from './content.js';
import type { MailFrame } from './frame.js';

export function renderText(content: MailContent, frame: MailFrame): string {
  const footer = [
    '--',
    content.reason,
    ...(frame.unsubscribeUrl === null ? [] : [`Stop these mails: ${frame.unsubscribeUrl}`]),
    `Your mail settings: ${frame.settingsUrl}`,
    `${frame.communityName} <${frame.supportEmail}>`,
  ];
  return [...content.blocks.map(textOf), footer.join('\n')].join('\n\n') + '\n';
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return block.text;
    case 'facts':
      return block.rows.map(([label, value]) => `${label}: ${value}`).join('\n');
    case 'code':
      return `    ${block.code}`;
    case 'button':
      return `${block.label}: ${block.url}`;
  }
}
