import { ScrollBox } from '../../charts/scroll-box.tsx';
import { type Block, type Inline, plainText } from './blocks.ts';

/** The blocks of a chapter as elements; nothing in them is read as HTML. */
export function MarkdownView({ blocks, title }: { blocks: readonly Block[]; title: string }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text never change their order.
    <BlockView key={index} block={block} label={nameBlock(blocks, index, title)} />
  ));
}

/** The heading above, with a number for the second block of its kind and on, so that no two have the same name. */
function nameBlock(blocks: readonly Block[], index: number, title: string): string {
  const place = blocks.slice(0, index).findLastIndex(({ kind }) => kind === 'heading');
  const heading = blocks[place];
  const name = heading?.kind === 'heading' ? plainText(heading.children) : title;
  const before = blocks.slice(place + 1, index).filter(({ kind }) => kind === blocks[index]?.kind).length;
  return before === 0 ? name : `${name} ${before + 1}`;
}

function BlockView({ block, label }: { block: Block; label: string }) {
  switch (block.kind) {
    case 'heading':
      return block.level === 2 ? (
        <h2 id={block.id}>
          <Text value={block.children} />
        </h2>
      ) : (
        <h3 id={block.id}>
          <Text value={block.children} />
        </h3>
      );
    case 'paragraph':
      return (
        <p>
          <Text value={block.children} />
        </p>
      );
    case 'code':
      return (
        <ScrollBox label={`Code: ${label}`}>
          <pre>
            <code>{block.text}</code>
          </pre>
        </ScrollBox>
      );
    case 'list':
      return <List block={block} label={label} />;
    case 'table':
      return <Table block={block} label={label} />;
  }
}

function List({ block: { isOrdered, items }, label }: { block: Block & { kind: 'list' }; label: string }) {
  const Tag = isOrdered ? 'ol' : 'ul';
  return (
    <Tag>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items of a text never change their order.
        <li key={index}>
          {item.length === 1 && item[0]?.kind === 'paragraph' ? (
            <Text value={item[0].children} />
          ) : (
            <MarkdownView blocks={item} title={`${label}, ${index + 1}`} />
          )}
        </li>
      ))}
    </Tag>
  );
}

function Table({ block: { head, rows }, label }: { block: Block & { kind: 'table' }; label: string }) {
  const columns = head.map(plainText);
  return (
    <ScrollBox label={`Table: ${label}`}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={columns[index]} scope="col">
                <Text value={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells: [first = [], ...others] }) => (
            <tr key={plainText(first)} id={id ?? undefined}>
              <th scope="row">
                <Text value={first} />
              </th>
              {others.map((cell, index) => (
                <td key={columns[index + 1]} data-label={columns[index + 1]}>
                  <Text value={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Text({ value }: { value: readonly Inline[] }) {
  return value.map((inline, index) => {
    if (typeof inline === 'string') return inline;
    const key = `${inline.kind} ${index}`;
    if (inline.kind === 'code') return <code key={key}>{inline.text}</code>;
    if (inline.kind === 'link')
      return (
        <a key={key} href={inline.href}>
          <Text value={inline.children} />
        </a>
      );
    const Tag = inline.kind;
    return (
      <Tag key={key}>
        <Text value={inline.children} />
      </Tag>
    );
  });
}
