import { browseText } from '@meetmark/contracts/texts/events';
import { usePageTitle } from '../../ui/screen-heading';
import { BrowseEvents } from './browse-events';

export default function BrowseScreen() {
  usePageTitle(browseText.title);
  return <BrowseEvents heading="h1" />;
}
