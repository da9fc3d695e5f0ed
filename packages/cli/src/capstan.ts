console.log('capstan');
