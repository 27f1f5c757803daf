import { browseText } from '@meetmark/i18n/texts/events';
import { usePageTitle } from '../../ui/screen-heading';
import { BrowseEvents } from './browse-events';

export default function BrowseScreen() {
  usePageTitle(browseText.title);
  return <BrowseEvents heading="h1" />;
}
