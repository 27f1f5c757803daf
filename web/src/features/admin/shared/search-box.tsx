import { useEffect, useState } from 'react';
import { SearchInput } from '../../../ui/search-input';
import styles from './toolbar.module.css';

/** Milliseconds without a key before the list is asked for. */
const TYPING_PAUSE = 300;

interface SearchBoxProps {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}

/** Searches while one types, after a short pause. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const [sought, setSought] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    // Not by typing here: a link back to the whole list. What is typed while a search is under way stays.
    if (value !== sought) setText(value);
  }
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === value) return undefined;
    const timer = setTimeout(() => {
      setSought(wanted);
      onSearch(wanted);
    }, TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  return (
    <SearchInput className={styles.search} label={label} placeholder={label} value={text} change={setText} />
  );
}
