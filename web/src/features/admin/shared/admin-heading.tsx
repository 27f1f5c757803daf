import type { HelpPanel } from '@meetmark/contracts/handbook';
import type { ReactNode } from 'react';
import { ScreenHeading, usePageTitle } from '../../../ui/screen-heading';
import { HelpButton } from '../../help/help-button';

interface AdminHeadingProps {
  panel: HelpPanel;
  text: { title: string; intro: string };
  children?: ReactNode;
}

export function AdminHeading({ panel, text: { title, intro }, children }: AdminHeadingProps) {
  usePageTitle(title);
  return (
    <ScreenHeading title={title} intro={intro} help={<HelpButton panel={panel} title={title} />}>
      {children}
    </ScreenHeading>
  );
}
