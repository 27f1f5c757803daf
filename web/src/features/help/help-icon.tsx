import { icon } from '../../ui/icons';

// in its own file, because every page loads ui/icons
export const HelpIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M9.7 9.6a2.4 2.4 0 1 1 3.3 2.3c-.7.3-1 .8-1 1.6M12 16.6h.01" />
  </>,
);
