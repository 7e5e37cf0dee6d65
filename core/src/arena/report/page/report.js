// What a report's page can do beyond being read: parts unfold where a link leads to them and before
// the page is printed, tables are sorted by their heads, and pictures and tables are saved as files.
{
  const unfold = element => {
    for (let at = element; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  };
  const follow = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    unfold(target.querySelector('details') ?? target);
    target.scrollIntoView();
  };
  addEventListener('hashchange', follow);
  follow();

  let folded = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('main details:not([open])')];
    for (const part of folded) part.open = true;
  });
  addEventListener('afterprint', () => {
    for (const part of folded) part.open = false;
  });

  // A figure by its first number; other words by themselves, behind all figures.
  const valueOf = row => column => {
    const words = row.cells[column]?.textContent.trim() ?? '';
    const figure = words.replace(/[−–]/g, '-').match(/^[<>$+]*(-?[\d,]*\.?\d+)/);
    return figure ? [0, Number(figure[1].replaceAll(',', '')), words] : [1, 0, words];
  };
  const compare = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2].localeCompare(b[2]);
  const sort = (table, column, head) => {
    const up = head.getAttribute('aria-sort') !== 'ascending';
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const rows = [...table.tBodies[0].rows];
    // Words stay behind figures in both directions.
    const order = (x, y) => {
      const [a, b] = [valueOf(x)(column), valueOf(y)(column)];
      return a[0] !== b[0] ? a[0] - b[0] : (up ? 1 : -1) * compare(a, b);
    };
    table.tBodies[0].append(...rows.sort(order));
  };
  for (const table of document.querySelectorAll('section:not(.interactive) table')) {
    // Rows below a heading or another row belong to it.
    if (table.querySelector('tr.heading, th[class^=indent]') || table.tBodies[0].rows.length < 2) continue;
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'sort';
      button.title = 'sort by this column';
      button.append(...head.childNodes);
      button.onclick = () => sort(table, column, head);
      head.append(button);
    });
  }

  const save = (name, type, content) => {
    const link = document.createElement('a');
    link.href = typeof content === 'string' && content.startsWith('data:') ? content
      : URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    if (link.href.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  // The picture with the styles that it has on the page, so that it looks the same by itself.
  const standing = svg => {
    const copy = svg.cloneNode(true);
    const of = [svg, ...svg.querySelectorAll('*')], to = [copy, ...copy.querySelectorAll('*')];
    const kept = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'fill-opacity',
                  'font-family', 'font-size', 'font-weight', 'text-anchor'];
    of.forEach((element, i) => {
      const style = getComputedStyle(element);
      for (const name of kept) to[i].style.setProperty(name, style.getPropertyValue(name));
    });
    const { width, height } = svg.getBoundingClientRect();
    // The serializer adds the name space.
    copy.setAttribute('width', width);
    copy.setAttribute('height', height);
    return { text: new XMLSerializer().serializeToString(copy), width, height };
  };
  const savePicture = (svg, name) => {
    const { text, width, height } = standing(svg);
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement('canvas'), scale = 3;
      [canvas.width, canvas.height] = [width * scale, height * scale];
      const pen = canvas.getContext('2d');
      pen.fillStyle = getComputedStyle(document.body).backgroundColor;
      pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.drawImage(image, 0, 0, canvas.width, canvas.height);
      save(name + '.png', 'image/png', canvas.toDataURL('image/png'));
    };
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text);
  };
  // The browser prints, and saves as PDF, what stands in a frame of its own: the picture alone, on a
  // page of its size.
  const printPicture = (svg, name) => {
    const { text, width, height } = standing(svg);
    document.querySelector('iframe.print')?.remove();
    const frame = document.createElement('iframe');
    frame.className = 'print';
    frame.title = name;
    frame.onload = () => frame.contentWindow.print();
    frame.srcdoc = `<!doctype html><title>${name}</title><style>@page { size: ${Math.ceil(width)}px ` +
      `${Math.ceil(height)}px; margin: 0 } body { margin: 0 }</style>${text}`;
    document.body.append(frame);
  };
  const asCsv = table => [...table.rows].map(row => [...row.cells].map(cell => {
    const words = cell.textContent.trim();
    return /[",\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
  }).join(',')).join('\r\n') + '\r\n';
  const nameOf = element => element.closest('section').querySelector('h2').textContent.trim()
    .toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const offer = (below, ...links) => {
    const row = document.createElement('div');
    row.className = 'save';
    row.append('Save: ');
    for (const [words, action] of links) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = words;
      button.onclick = action;
      row.append(button, ' ');
    }
    below.append(row);
  };
  for (const figure of document.querySelectorAll('section figure')) {
    const svg = figure.querySelector('svg'), name = nameOf(figure);
    offer(figure, ['SVG', () => save(name + '.svg', 'image/svg+xml', standing(svg).text)],
          ['PNG', () => savePicture(svg, name)], ['PDF', () => printPicture(svg, name)]);
  }
  for (const table of document.querySelectorAll('section:not(.interactive) .wide > table'))
    offer(table.parentElement, ['CSV', () => save(nameOf(table) + '.csv', 'text/csv', asCsv(table))]);
}
